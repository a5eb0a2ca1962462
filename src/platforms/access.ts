import { databaseTime } from '../db/clock.js';
import type { CallOutcome, CallPermit, PlatformAccess } from '../connectors/platform-access.js';
import type { PassthroughClient, PlatformClient } from '../connectors/platform.js';
import { type BudgetOptions, takePermit } from './budget.js';
import { HeldPermits } from './held-permits.js';
import { endAccess, expiredError, type PlatformSession, validTokens } from './credentials.js';
import { meters } from '../telemetry/meters.js';

/** A client for one connection that respects its budget and renews its tokens. */
export function openPlatform(
  session: PlatformSession,
  externalAccountId: string,
  budget: BudgetOptions,
): PlatformClient {
  return session.connector.createClient(accessOf(session, externalAccountId, callByCall(session, budget)));
}

/** The same for a worker that makes many calls: its part of the budget is given back by `release`. */
export function holdPlatform(
  session: PlatformSession,
  externalAccountId: string,
  budget: BudgetOptions,
  onAnswer?: (outcome: CallOutcome) => void,
): { readonly platform: PlatformClient; readonly release: () => Promise<void> } {
  const limited = limitedBy(session, budget);
  const held = new HeldPermits(session.sql, session.connection, limited);
  const permits = { patienceMs: budget.patienceMs, permit: held.permit };
  const access = accessOf(session, externalAccountId, permits, onAnswer);
  return { platform: session.connector.createClient(access), release: () => held.release() };
}

/** The same for requests that callers write. */
export function openPassthrough(
  session: PlatformSession,
  externalAccountId: string,
  budget: BudgetOptions,
): PassthroughClient {
  const { connector } = session;
  const access = accessOf(session, externalAccountId, callByCall(session, budget));
  return connector.createPassthrough?.(access) ?? connector.createClient(access);
}

type Permits = Pick<PlatformAccess, 'patienceMs' | 'permit'>;

function callByCall(session: PlatformSession, budget: BudgetOptions): Permits {
  const limited = limitedBy(session, budget);
  const { sql, connection } = session;
  return { patienceMs: budget.patienceMs, permit: () => takePermit(sql, connection, limited) };
}

/** The budget with the platform's limits. */
function limitedBy({ connector }: PlatformSession, budget: BudgetOptions): BudgetOptions {
  const { integrationType, limits } = connector;
  return { ...budget, app: limits.app && { integrationType, ...limits.app }, points: limits.points };
}

function accessOf(
  session: PlatformSession,
  externalAccountId: string,
  { patienceMs, permit: takeOne }: Permits,
  onAnswer: (outcome: CallOutcome) => void = () => undefined,
): PlatformAccess {
  const { integrationType } = session.connector;
  let token: { readonly text: string; readonly renewAt: number | null } | null = null;
  /** Token renewed after this call was refused: if it is refused, too, another renewal would not help. */
  let renewed: string | null = null;
  /** Further calls are not even tried. */
  let hasEnded = false;
  return {
    ...session.reach,
    externalAccountId,
    patienceMs,
    accessToken: async (refused) => {
      if (hasEnded) throw expiredError(session.connector, 'its access has ended');
      if (refused === undefined) renewed = null;
      else if (refused === renewed) return refused;
      const isGood =
        token !== null &&
        token.text !== refused &&
        !(token.renewAt !== null && databaseTime().getTime() >= token.renewAt);
      if (!isGood) {
        const stored = await validTokens(session, refused);
        token = { text: stored.accessToken, renewAt: stored.renewAt };
        if (refused !== undefined && stored.isRenewed) renewed = token.text;
      }
      return (token as { text: string }).text;
    },
    ended: async (text) => {
      hasEnded = await endAccess(session, text);
      token = null;
    },
    permit: async (): Promise<CallPermit> => {
      const permit = await takeOne();
      return {
        done: (outcome) => {
          onAnswer(outcome);
          meters.platformCalls.inc({ platform: integrationType, outcome: outcomeOf(outcome.status) });
          // The answer must not be lost with it: the write may have been carried out. A lease ends by itself.
          return permit.done(outcome).catch(() => undefined);
        },
      };
    },
  };
}

/** Outcome of a call, in a word. */
function outcomeOf(status: number | null): string {
  if (status === null) return 'none';
  if (status === 429) return 'throttled';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}
