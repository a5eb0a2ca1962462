import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { verdict } from './checker.js';
import { runClients } from './experiments.js';
import { Watch } from './watch.js';

/** Before and after a harm, so that work is in progress when it starts and when it is over. */
const CALM_MS = 3000;
const PAUSE_SECONDS = 12;
const FULL_SECONDS = 20;
const TERMINATIONS = 20;
/** Maximum time from the database's first answer to the service's. */
const BACK_MS = 2000;
const PATIENCE_MS = 60_000;
/** Acceptable answers while the database is away; 409 means that the key's first request is in progress. */
const HONEST = [200, 409, 503, 504];

/** Harms to the database, by name. Only those with `own` need a server of our own. */
const HARMS = {
  'sessions terminated': {
    run: async ({ rig }) => {
      for (let count = 0; count < TERMINATIONS; count += 1) {
        await terminateSessions(rig);
        await sleep(200);
      }
    },
  },
  'connections broken off': { run: async ({ rig }) => rig.proxy.drop() },
  'no server at the address': {
    run: async ({ rig, away }) => {
      rig.proxy.takeAway();
      await sleep(away * 1000);
      rig.proxy.giveBack();
    },
  },
  'nothing passes, nothing is refused': {
    run: async ({ rig }) => {
      rig.proxy.freeze();
      await sleep(PAUSE_SECONDS * 1000);
      rig.proxy.giveBack();
    },
  },
  restarted: { own: true, run: async ({ rig }) => rig.server.signal('SIGINT') },
  killed: { own: true, run: async ({ rig }) => rig.server.signal('SIGKILL') },
  'stopped for a while': {
    own: true,
    run: async ({ rig }) => {
      rig.server.signalAll('SIGSTOP');
      await sleep(PAUSE_SECONDS * 1000);
      rig.server.signalAll('SIGCONT');
    },
  },
  'another server at the address': { own: true, run: async ({ rig }) => rig.moveServer() },
  'disk full': {
    own: true,
    disk: true,
    run: async ({ rig }) => {
      rig.server.fillDisk();
      await sleep(FULL_SECONDS * 1000);
      rig.server.freeDisk();
    },
  },
};

/** The harms possible on this rig's database. */
export const harmsTo = ({ server }) =>
  Object.keys(HARMS).filter((name) => (!HARMS[name].own || server) && (!HARMS[name].disk || server?.hasDisk));

/** The database goes away and comes back while clients write and others read. `away` is in seconds. */
export async function loseDatabase(rig, { name, away, ...options }) {
  let watch = null;
  let back = null;
  let asked = [];
  const report = await runClients(rig, {
    ...options,
    subscribers: true,
    harm: async ({ service, companies, history }) => {
      asked = history.events;
      watch = new Watch(service.url, companies[0].key);
      try {
        await sleep(CALM_MS);
        await HARMS[name].run({ rig, away });
        const answering = await untilAnswering(rig);
        await sleep(CALM_MS);
        back = watch.backAfter(answering);
      } finally {
        await watch.stop();
      }
    },
  });
  const unanswered = asked.filter(({ type }) => type === 'unknown' || type === 'fail');
  const verdicts = verdictsOf({ answers: watch.answers, unanswered, back, figures: report.figures });
  return {
    ...report,
    verdicts: [...report.verdicts, ...verdicts],
    counts: countsOf(watch.answers, unanswered, back),
  };
}

/** When the database behind the proxy answered again. */
async function untilAnswering(rig) {
  const patience = Date.now() + PATIENCE_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: rig.databaseUrl, connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('CREATE TEMP TABLE answers (a int)');
      return Date.now();
    } catch (error) {
      if (Date.now() > patience) throw error;
      await sleep(20);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function terminateSessions(rig) {
  const { pathname } = new URL(rig.databaseUrl);
  await rig.sql.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
    [pathname.slice(1)],
  );
}

function verdictsOf({ answers, unanswered, back, figures }) {
  const told = (one) => `${one.name ?? one.batch}: ${one.status ?? 'no answer'} ${one.text}`;
  return [
    verdict('readers get an answer or are told that there is none now', answers, (one) =>
      HONEST.includes(one.status) ? null : told(one),
    ),
    verdict('writers get an answer or are told that there is none now', unanswered, (one) =>
      HONEST.includes(one.status) ? null : told(one),
    ),
    verdict(
      'a 503 and a 504 say when to come back',
      answers.filter(({ name, status }) => name !== 'ready' && status >= 503),
      (one) => (one.retryAfter === null ? told(one) : null),
    ),
    verdict(
      'the process is alive throughout',
      answers.filter(({ name }) => name === 'alive'),
      (one) => (one.status === 200 ? null : told(one)),
    ),
    verdict(`reads are back within ${BACK_MS} ms of the database`, Object.entries(back), ([name, after]) =>
      after !== null && after <= BACK_MS ? null : `${name}: ${after ?? 'more than those'} ms`,
    ),
    verdict('no accepted write ends as failed', [figures], ({ resent }) =>
      resent === 0 ? null : `${resent} items were refused`,
    ),
  ];
}

/** How often each status occurred, as readable text. */
function countsOf(answers, unanswered, back) {
  const by = {};
  const count = (title) => (by[title] = (by[title] ?? 0) + 1);
  for (const { name, status } of answers) count(`${name} ${status ?? 'no answer'}`);
  for (const { status } of unanswered) count(`writes ${status ?? 'no answer'}`);
  for (const [name, after] of Object.entries(back)) by[`${name} back after, ms`] = after;
  return by;
}
