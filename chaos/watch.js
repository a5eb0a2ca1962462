import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;
const ANSWER_MS = 20_000;
/** What callers read meanwhile, in both styles, and what a load balancer requests. */
const READS = {
  REST: { path: '/v3/accounting/accounts?limit=5' },
  GraphQL: {
    path: '/graphql',
    body: JSON.stringify({ query: '{ accounts(first: 5) { nodes { svcId } } }' }),
  },
  ready: { path: '/health/ready' },
  alive: { path: '/health/live' },
};

/** Reads continuously, and records when each answer was requested and received. */
export class Watch {
  answers = [];
  #isOver = false;
  #reading;

  constructor(url, key) {
    this.#reading = Promise.all(Object.keys(READS).map((name) => this.#read(name, url, key)));
  }

  async #read(name, url, key) {
    const { path, body } = READS[name];
    const headers = { api_key: key, 'content-type': 'application/json' };
    while (!this.#isOver) {
      const asked = Date.now();
      const answer = { name, asked, status: null, retryAfter: null, text: '' };
      try {
        const signal = AbortSignal.timeout(ANSWER_MS);
        const response = await fetch(url + path, { method: body ? 'POST' : 'GET', headers, body, signal });
        answer.status = response.status;
        answer.retryAfter = response.headers.get('retry-after');
        answer.text = (await response.text()).slice(0, 300);
      } catch (error) {
        answer.text = String(error.cause?.code ?? error.name);
      }
      this.answers.push({ ...answer, came: Date.now() });
      await sleep(PAUSE_MS);
    }
  }

  /** How long after `since` each kind of read succeeded again; null if it did not. */
  backAfter(since) {
    return Object.fromEntries(
      Object.keys(READS).map((name) => {
        const first = this.answers.find(
          (one) => one.name === name && one.status === 200 && one.came >= since,
        );
        return [name, first ? first.came - since : null];
      }),
    );
  }

  async stop() {
    this.#isOver = true;
    await this.#reading;
  }
}
