import { databaseTime } from '../db/clock.js';
import type { PlatformAccess, PlatformClient } from '../connectors/connector.js';
import { type BudgetOptions, takePermit } from './budget.js';
import { type PlatformSession, validTokens } from './credentials.js';

/** A client for one connection that keeps to its budget and renews its tokens. */
export function openPlatform(
  session: PlatformSession,
  externalAccountId: string,
  budget: BudgetOptions,
  onAnswer: (length: number) => void = () => undefined,
): PlatformClient {
  let token: { readonly text: string; readonly renewAt: number | null } | null = null;
  /** Renewed because of a refusal of this call: when it is refused too, another renewal would not help. */
  let renewed: string | null = null;
  const access: PlatformAccess = {
    ...session.reach,
    externalAccountId,
    patienceMs: budget.patienceMs,
    accessToken: async (refused) => {
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
    permit: async () => {
      const permit = await takePermit(session.sql, session.connection, budget);
      return {
        done: (outcome) => {
          onAnswer(outcome.length);
          return permit.done(outcome);
        },
      };
    },
  };
  return session.connector.createClient(access);
}
