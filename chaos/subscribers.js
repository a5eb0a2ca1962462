import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { verdict } from './checker.js';

const PAUSE_MS = 100;
const PAGE = 100;
/** More than the minute after which a slow receiver is tried again. */
const PATIENCE_MS = 120_000;

/**
 * Followers of the changes: one reads the change log from its current position, and a webhook sends the same changes
 * to a receiver. Both must get everything, in order.
 */
export async function openSubscribers(rig, { url, key, companyIds }) {
  const headers = { api_key: key, 'content-type': 'application/json' };
  const read = async () => {
    const { rows } = await rig.sql.query(
      `SELECT position::float8 AS position, svc_id::float8 AS "svcId" FROM record_changes
       WHERE svc_company_id = ANY ($1) ORDER BY position`,
      [companyIds],
    );
    return rows;
  };
  const begin = (await read()).at(-1)?.position ?? 0;
  const receiver = await openReceiver();
  const webhook = { name: 'chaos', type: 'DATA_MODEL_CHANGES', url: receiver.url };
  const made = await fetch(`${url}/v3/core/webhooks`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ webhook }) },
  });
  if (!made.ok) throw new Error(`no webhook was made: ${made.status} ${await made.text()}`);
  const follower = follow(url, headers, begin);
  return {
    /** Waits until both have reached the end of the log, then judges them. */
    async verdicts() {
      const log = (await read()).filter(({ position }) => position > begin);
      const last = log.at(-1)?.position ?? begin;
      const patience = Date.now() + PATIENCE_MS;
      const isBehind = () =>
        follower.position() < last || log.some(({ position }) => !receiver.firsts.has(position));
      while (isBehind() && Date.now() < patience) await sleep(PAUSE_MS);
      return [
        verdict('who follows the change log has each change once and in order', log, ({ position }, index) =>
          follower.seen[index] === position
            ? null
            : `change ${position}: the follower has ${follower.seen[index]}`,
        ),
        verdict('the receiver of a webhook got each change', log, ({ position }) =>
          receiver.firsts.has(position) ? null : `change ${position} never came`,
        ),
        verdict('the changes of one record came in order', pairsOfRecords(log), ([one, other]) =>
          (receiver.firsts.get(one) ?? 0) < (receiver.firsts.get(other) ?? Infinity)
            ? null
            : `change ${other} came before ${one}`,
        ),
        verdict('what came twice had the same id', receiver.again, ({ id, first }) =>
          id === first ? null : `${first} came again as ${id}`,
        ),
      ];
    },
    async close() {
      await follower.stop();
      receiver.close();
    },
  };
}

/** Pairs each change with the next one of the same record. */
function pairsOfRecords(log) {
  const before = new Map();
  return log.flatMap(({ position, svcId }) => {
    const one = before.get(svcId);
    before.set(svcId, position);
    return one === undefined ? [] : [[one, position]];
  });
}

/** Reads pages from a position on, repeating failed requests. */
function follow(url, headers, begin) {
  const seen = [];
  let next = String(begin);
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const page = await fetch(`${url}/v3/core/changes?limit=${PAGE}&next=${next}`, { headers })
        .then((answer) => (answer.ok ? answer.json() : null))
        .catch(() => null);
      if (page) {
        seen.push(...page.data.map(({ position }) => position));
        ({ next } = page);
      }
      if (!page?.has_more) await sleep(PAUSE_MS);
    }
  })();
  return {
    seen,
    position: () => Number(next),
    stop: () => {
      isOver = true;
      return reading;
    },
  };
}

/** Receives events, and records when each change first arrived. */
async function openReceiver() {
  const firsts = new Map();
  const ids = new Map();
  const again = [];
  let arrivals = 0;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { sequence } = JSON.parse(Buffer.concat(chunks).toString());
    const id = request.headers['webhook-id'];
    arrivals += 1;
    if (firsts.has(sequence)) again.push({ id, first: ids.get(sequence) });
    else {
      firsts.set(sequence, arrivals);
      ids.set(sequence, id);
    }
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    firsts,
    again,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
