import { createApiKey } from '../../dist/operations/keys/api-keys.js';
import { connect, control, ended, makeCompany } from '../platforms-rig.js';
import { cpuOf } from '../usage.js';

const say = (text) => process.stdout.write(`${text}\n`);
const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];
const milliseconds = (value) => `${value.toFixed(1)} ms`;

/** A connected company, and functions to write to it. */
export async function prepareWriter(rig) {
  const company = await makeCompany(rig, 'writer', 1000);
  const { syncSvcId } = await connect(rig, company);
  await ended(rig, syncSvcId);
  const { key: apiKey } = await createApiKey(rig.operator.prisma, {
    organisationId: company.scope.organisationId,
    name: 'bench',
    scopes: ['read', 'write', 'passthrough'],
  });
  const accounts = await rig.client.query(
    `SELECT platform_id FROM accounts WHERE svc_company_id = $1 AND nominal_code IN ('1010', '6100')`,
    [company.svcCompanyId],
  );
  const [one, other] = accounts.rows.map((row) => row.platform_id);
  const journal = (description) => ({
    description,
    journal_lines: [
      { account_id: one, type: 'DEBIT', net_amount: '10.50' },
      { account_id: other, type: 'CREDIT', net_amount: '10.50' },
    ],
  });
  const send = async (path, body, headers = {}) => {
    const began = performance.now();
    const answer = await fetch(rig.service.url + path, {
      method: 'POST',
      headers: { api_key: apiKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ company_id: company.svcCompanyId, ...body }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse(text),
      ms: performance.now() - began,
    };
  };
  return { rig, company, journal, send };
}

const PATH = '/accounting/journal_entries';

/** Many items in one request, the platform's share of the time, and a repeat with the same key. */
export async function bulk(writer, items) {
  const data = Array.from({ length: items }, (_, index) => writer.journal(`bulk ${index}`));
  const key = { 'idempotency-key': 'bulk' };
  const before = cpuOf(writer.rig.service.pid);
  const first = await writer.send(PATH, { data }, key);
  const after = cpuOf(writer.rig.service.pid);
  const platform = await platformTime(writer.rig, items);
  const good = first.body.data.data.filter(({ status }) => status === 'success').length;
  say(
    `${items} items in one request     ${(first.ms / 1000).toFixed(2)} s, ${Math.round((1000 * items) / first.ms)} items/s, ${good} written; ` +
      `the platform alone takes about ${(platform / 1000).toFixed(2)} s for them; service CPU ${((after - before) / items).toFixed(2)} ms an item`,
  );
  const again = await writer.send(PATH, { data }, key);
  say(
    `the same key again           ${milliseconds(again.ms)}, ${again.headers.get('idempotent-replayed') ? 'replayed' : 'NOT REPLAYED'}`,
  );
}

/** One record per request, sequentially. */
export async function single(writer, count) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const { status, ms } = await writer.send('/v3/accounting/journal_entries', {
      data: [writer.journal('single')],
    });
    if (status !== 200) throw new Error(`a write answered ${status}`);
    times.push(ms);
  }
  times.sort((one, other) => one - other);
  say(
    `${count} single writes            median ${milliseconds(median(times))}, p95 ${milliseconds(times[Math.floor(count * 0.95)] ?? 0)}`,
  );
}

/** Many clients use one key concurrently; only one of them writes. */
export async function sameKey(writer, clients) {
  const body = { data: [writer.journal('same key')] };
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: clients }, () => writer.send(PATH, body, { 'idempotency-key': 'same' })),
  );
  const ms = performance.now() - began;
  const writes = await control(writer.rig, 'GET', `/writes?account=${writer.company.id}&platform=accounting`);
  const jobs = new Set(
    answers.filter(({ status }) => status === 200).map(({ body: { data } }) => data.data[0].job_id),
  );
  const marks = writes.writes.filter(({ marker }) => jobs.has(String(marker).replace('svc-', '')));
  const busy = answers.filter(({ status }) => status === 409).length;
  say(
    `${clients} clients with one key      ${milliseconds(ms)}: ${marks.length} written, ${clients - busy} answered, ${busy} told to wait (409)`,
  );
}

/** The overhead of passthrough over a direct call. */
export async function direct(writer, count) {
  const { access_token: token } = await control(writer.rig, 'POST', '/tokens', {
    platform: 'accounting',
    account: writer.company.id,
  });
  const times = { direct: [], passed: [] };
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    const answer = await fetch(`${writer.rig.sandbox.url}/accounting/api/2/Organisation`, {
      headers: { authorization: `Bearer ${token}`, 'sandbox-company': writer.company.id },
    });
    await answer.text();
    times.direct.push(performance.now() - began);
    const { ms } = await writer.send('/v3/core/passthrough', {
      data: { method: 'GET', path: '/Organisation' },
    });
    times.passed.push(ms);
  }
  const [alone, through] = [median(times.direct), median(times.passed)];
  say(
    `passthrough                  median ${milliseconds(through)}, a direct call ${milliseconds(alone)}: ${milliseconds(through - alone)} more`,
  );
}

/** The time the platform needs for a number of sequential writes, estimated from a sample. */
async function platformTime({ sandbox, ...rig }, items) {
  const { access_token: token } = await control({ sandbox, ...rig }, 'POST', '/tokens', {
    platform: 'accounting',
    account: 'writer',
    scope: 'read write',
  });
  const sample = Math.min(items, 100);
  const body = JSON.stringify({
    Text: 'direct',
    Lines: [
      { AccountNumber: '6100', Debit: '10.50' },
      { AccountNumber: '1010', Credit: '10.50' },
    ],
  });
  const began = performance.now();
  for (let index = 0; index < sample; index += 1) {
    const answer = await fetch(`${sandbox.url}/accounting/api/2/Journals`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'sandbox-company': 'writer',
        'content-type': 'application/json',
      },
      body,
    });
    await answer.text();
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`);
  }
  return ((performance.now() - began) / sample) * items;
}
