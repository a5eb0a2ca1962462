import { setTimeout as sleep } from 'node:timers/promises';

const ANSWER_MS = 20_000;
const PATIENCE_MS = 180_000;

/** What clients write. `token` is the item's unique name everywhere. */
const KINDS = {
  journal_entries: (token, { accounts }, random) => {
    const amount = `${random.integer(1, 900)}.${random.integer(10, 99)}`;
    const [from, to] = [random.pick(accounts), random.pick(accounts)];
    return {
      description: token,
      posted_date: '2026-05-06',
      journal_lines: [
        { account_id: from, type: 'DEBIT', net_amount: amount },
        { account_id: to, type: 'CREDIT', net_amount: amount },
      ],
    };
  },
  contacts: (token) => ({ name: token, contact_type: 'CUSTOMER' }),
  // Written in two steps: the platform counts stock by a separate request.
  items: (token) => ({ name: token, code: token, type: 'INVENTORY', quantity_on_hand: '7' }),
};

/** Makes an item that the service accepts with a warning and the platform rejects, as the account does not exist. */
const refused = ({ journal_lines: [first, ...others], ...item }) => ({
  ...item,
  journal_lines: [{ ...first, account_id: 'no-such-account' }, ...others],
});

/**
 * Writes batches until told to end, repeating each with the same key until its final answer. Items that certainly
 * failed are written again, with a new key. `kind` limits what is written; `invalid` is the share of journal entries
 * that the platform rejects; after `patienceMs` without a final answer a batch is given up, and the checker reports
 * it.
 */
export class Client {
  #made = 0;

  constructor({ name, company, url, random, history, kind, invalid = 0, patienceMs = PATIENCE_MS }) {
    Object.assign(this, { name, company, url, random, history, kind, invalid, patienceMs });
  }

  async run(isOver, most = 50) {
    while (!isOver()) await this.writeItems(this.random.integer(1, most));
  }

  /** Writes new items, and repeats those that failed until they are written. */
  async writeItems(count) {
    const { random } = this;
    const drawn = random.next();
    const kind = this.kind ?? (drawn < 0.6 ? 'journal_entries' : drawn < 0.8 ? 'contacts' : 'items');
    const first = this.#made + 1;
    let items = Array.from({ length: count }, (_, index) => ({
      token: `${this.name}-${first}-item-${index}`,
      isValid: kind !== 'journal_entries' || random.next() >= this.invalid,
    }));
    while (items.length > 0) items = await this.writeBatch(kind, items);
  }

  /** Writes a batch; returns the valid items that failed. */
  async writeBatch(kind, items) {
    const { random, company } = this;
    this.#made += 1;
    const batch = `${this.name}-${this.#made}`;
    const data = items.map(({ token, isValid }) => {
      const item = KINDS[kind](token, company, random);
      return isValid ? item : refused(item);
    });
    const { companyId, account } = company;
    this.history.add({ type: 'invoke', batch, client: this.name, companyId, account, kind, items });
    const final = await this.untilOver({
      batch,
      kind,
      body: JSON.stringify({ company_id: companyId, data }),
    });
    return items.filter(({ isValid }, index) => isValid && final?.[index]?.status === 'failed');
  }

  /** The items of the final answer; null without one. */
  async untilOver({ batch, kind, body }) {
    const patience = Date.now() + this.patienceMs;
    let uploadId = null;
    while (Date.now() < patience) {
      // Ask about an accepted batch in both ways: by its id, and by sending it again.
      const isPoll = uploadId !== null && this.random.next() < 0.5;
      const answer = isPoll
        ? await this.call('GET', `/v3/core/uploads/${uploadId}`)
        : await this.call('POST', `/accounting/${kind}`, { 'idempotency-key': `key-${batch}` }, body);
      const upload = answer.status === 200 ? answer.body?.data : null;
      if (!upload) {
        const isPassing = answer.status === null || answer.status === 409 || answer.status >= 500;
        this.history.add({
          type: isPassing ? 'unknown' : 'fail',
          batch,
          status: answer.status,
          text: answer.text.slice(0, 300),
        });
        if (!isPassing) return null;
        await sleep(this.random.integer(30, 200));
        continue;
      }
      uploadId = upload.upload_job_id;
      const isFinal = upload.status !== 'PENDING';
      const items = upload.data.map(({ status, job_id, response, error }) => ({
        status,
        jobId: job_id,
        svcId: response?.svc_id ?? null,
        platformId: response?.platform_id ?? null,
        error: error && `${error.code}: ${error.message} ${error.platform_error ?? ''}`.slice(0, 300),
      }));
      this.history.add({ type: isFinal ? 'ok' : 'answer', batch, uploadId, status: upload.status, items });
      if (isFinal) return items;
      await sleep(this.random.integer(30, 200));
    }
    this.history.add({ type: 'fail', batch, status: null, text: 'no final answer' });
    return null;
  }

  async call(method, path, headers = {}, body = undefined) {
    try {
      const answer = await fetch(this.url + path, {
        method,
        headers: { api_key: this.company.key, 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await answer.text();
      return { status: answer.status, text, body: parsed(text) };
    } catch (error) {
      return { status: null, text: String(error.cause?.code ?? error.name), body: null };
    }
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
