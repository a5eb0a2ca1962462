import { setTimeout as sleep } from 'node:timers/promises';
import { groupBy, verdict } from './checker.js';
import { runClients } from './experiments.js';
import { openGate } from './gate.js';
import { answerTimeout, DISTRUST_KEYS } from './patches.js';
import { control } from './rig.js';

/** The share of calls that each fault hits. Tokens really expire, see below. */
const WRITE_FAULTS = { 429: 0.2, 500: 0.1, hang: 0.1, cut: 0.1, 'timeout-after-commit': 0.1, html: 0.05 };
/** In addition, on a platform without idempotency keys. */
const LATE_FAULT = { 'commit-late': 0.05 };
/** Late writes are carried out after at most this time. */
const LATE_MS = 500;
/** Look-ups do not hang: they use the client's usual timeout, so that each would cost half a minute. */
const READ_FAULTS = { 429: 0.2, 500: 0.1, cut: 0.05 };
const API = '/accounting/api/2';
/** The service's timeout for writes in this experiment. */
const TIMEOUT_MS = 700;
/** Mean time between token expiries. */
const EXPIRY_MS = 2500;
/**
 * Minimum time between expiries for one account: a token that expires during the call that renewed it would
 * disconnect the company.
 */
const LIFE_MS = 5000;
/** Maximum number of attempts for an item. */
const MAX_ATTEMPTS = 8;
const INVALID = 0.05;
/** Final refusals, if the answer arrived complete. */
const REFUSALS = [400, 403, 404, 422];
/** Allowance for the clocks of two processes on one machine. */
const SLACK_MS = 5;
/** Calls already under way when the platform asked for a pause may still arrive. */
const UNDER_WAY_MS = 300;

/** A platform that fails in every way, while nothing is killed. */
export async function breakPlatform(rig, { items, ...options }) {
  const takesNoKeys = options.mode === 'markers';
  const gate = await openGate(rig.sandboxUrl);
  try {
    const report = await runClients(rig, {
      ...options,
      service: {
        patches: [answerTimeout(TIMEOUT_MS), ...(takesNoKeys ? [DISTRUST_KEYS] : [])],
        platformUrl: gate.url,
      },
      client: { invalid: INVALID, most: 25, patienceMs: 600_000 },
      harm: async ({ companies, history, nemesis }) => {
        const { calls } = gate;
        calls.length = 0;
        const breakAll = async (writeFaults) => {
          await control(rig, 'DELETE', '/faults');
          for (const { account } of companies) {
            const about = {
              platform: 'accounting',
              account,
              path: API,
              seed: nemesis.random.integer(1, 2 ** 31),
            };
            await control(rig, 'POST', '/faults', {
              rules: [
                ...rulesOf(writeFaults, { ...about, method: 'POST' }),
                ...rulesOf(READ_FAULTS, { ...about, method: 'GET' }),
              ],
            });
          }
        };
        await breakAll(WRITE_FAULTS);
        const asked = () =>
          history.events.reduce((sum, { type, items: own }) => sum + (type === 'invoke' ? own.length : 0), 0);
        const expired = new Map();
        let expiresAt = 0;
        while (asked() < items) {
          await sleep(LATE_MS);
          // Clearing the rules carries out late writes.
          if (takesNoKeys) await breakAll({ ...WRITE_FAULTS, ...LATE_FAULT });
          if (Date.now() < expiresAt) continue;
          expiresAt = Date.now() + nemesis.random.next() * 2 * EXPIRY_MS;
          const { account } = nemesis.random.pick(companies);
          if (Date.now() - (expired.get(account) ?? 0) < LIFE_MS) continue;
          expired.set(account, Date.now());
          await control(rig, 'POST', `/accounts/${account}/tokens`, { action: 'expire' });
        }
        await breakAll(WRITE_FAULTS);
      },
    });
    await control(rig, 'DELETE', '/faults');
    const calls = gate.calls.filter(({ path }) => path.startsWith(API));
    return { ...report, verdicts: [...report.verdicts, ...verdictsOf(calls)], counts: figuresOf(calls) };
  } finally {
    gate.close();
  }
}

/** Rules with shares of all calls, although each rule only sees the calls that earlier ones let pass. */
function rulesOf(shares, about) {
  let left = 1;
  return Object.entries(shares).map(([fault, share], index) => {
    const rule = { ...about, fault, share: Math.min(1, share / left), seed: about.seed + index };
    left -= share;
    return rule;
  });
}

function verdictsOf(calls) {
  const writes = calls.filter(({ method }) => method === 'POST');
  const sent = [...groupBy(writes, ({ key }) => key)].map(([key, own]) => ({ key, own }));
  return [
    verdict(
      `no item is sent more than ${MAX_ATTEMPTS} times, pauses and renewed tokens apart`,
      sent,
      ({ key, own }) => {
        const count = own.filter(({ status }) => status !== 429 && status !== 401).length;
        return count <= MAX_ATTEMPTS ? null : `${key} was sent ${count} times`;
      },
    ),
    verdict('what the platform refused is not sent again', sent, ({ key, own }) => {
      const refused = own.findIndex(({ status, isWhole }) => isWhole && REFUSALS.includes(status));
      // After an attempt without a clear answer the service looks up the object; until that succeeds, nothing is
      // final.
      const isFinal = own.slice(0, refused).every(({ status, isWhole }) => isWhole && status < 500);
      return refused === -1 || !isFinal || refused === own.length - 1
        ? null
        : `${key} was sent again after ${own[refused].status}`;
    }),
    verdict(
      'nothing is sent before the platform wants it',
      calls.filter(({ pauseMs }) => pauseMs !== null),
      ({ account, answeredAt, pauseMs }) => {
        const early = calls.find(
          (call) =>
            call.account === account &&
            call.at > answeredAt + UNDER_WAY_MS &&
            call.at < answeredAt + pauseMs - SLACK_MS,
        );
        return early ? `${account}: ${answeredAt + pauseMs - early.at} ms too early` : null;
      },
    ),
  ];
}

function figuresOf(calls) {
  const by = {};
  for (const { method, status } of calls) {
    const name = `${method} ${status ?? 'without an answer'}`;
    by[name] = (by[name] ?? 0) + 1;
  }
  return by;
}
