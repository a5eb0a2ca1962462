import { databaseTime } from '../db/clock.js';
import type {
  CallOutcome,
  PassthroughClient,
  PlatformAccess,
  PlatformClient,
} from '../connectors/connector.js';
import { type BudgetOptions, takePermit } from './budget.js';
import { endAccess, expired, type PlatformSession, validTokens } from './credentials.js';
import { meters } from '../telemetry/meters.js';

/** A client for one connection that respects its budget and renews its tokens. */
export function openPlatform(
  session: PlatformSession,
  externalAccountId: string,
  budget: BudgetOptions,
  onAnswer?: (outcome: CallOutcome) => void,
): PlatformClient {
  return session.connector.createClient(accessOf(session, externalAccountId, budget, onAnswer));
}

/** The same for requests that callers write. */
export function openPassthrough(
  session: PlatformSession,
  externalAccountId: string,
  budget: BudgetOptions,
): PassthroughClient {
  const { connector } = session;
  const access = accessOf(session, externalAccountId, budget);
  return connector.createPassthrough?.(access) ?? connector.createClient(access);
}

function accessOf(
  session: PlatformSession,
  externalAccountId: string,
  budget: BudgetOptions,
  onAnswer: (outcome: CallOutcome) => void = () => undefined,
): PlatformAccess {
  const { integrationType, limits } = session.connector;
  const app = limits.app && { integrationType, ...limits.app };
  const limited = { ...budget, app, points: limits.points };
  let token: { readonly text: string; readonly renewAt: number | null } | null = null;
  /** Token renewed after this call was refused: if it is refused, too, another renewal would not help. */
  let renewed: string | null = null;
  /** Further calls are not even tried. */
  let hasEnded = false;
  return {
    ...session.reach,
    externalAccountId,
    patienceMs: budget.patienceMs,
    accessToken: async (refused) => {
      if (hasEnded) throw expired(session.connector, 'its access has ended');
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
    permit: async () => {
      const permit = await takePermit(session.sql, session.connection, limited);
      return {
        done: (outcome) => {
          onAnswer(outcome);
          meters.platformCalls.inc({ platform: integrationType, outcome: outcomeOf(outcome.status) });
          return permit.done(outcome);
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
