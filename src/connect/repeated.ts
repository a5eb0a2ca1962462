import { setTimeout as sleep } from 'node:timers/promises';

import { databaseTime } from '../db/clock.js';
import { type AccountChoice, choiceOf, chooseAccounts, finishAuthorization } from './authorization.js';
import { AlreadyUsed, type MadeConnection, readUsed } from './authorization-store.js';
import { CustomerError } from './customer-error.js';
import type { OpenLink } from './find-link.js';
import type { ConnectServices } from './services.js';
import type { ConnectedAccount } from './store-connection.js';

/** Connections made by one consent, now or before. */
export type ConsentConnections = readonly Pick<ConnectedAccount, 'connectionId'>[];

const ASK_EVERY_MS = 200;
/** How long a repeated callback waits for the first one. */
const PATIENCE_MS = 20_000;
/** A first callback that is older has ended with its process. */
const RUNNING_MS = 120_000;

/**
 * Finishes an authorisation. A browser repeats a callback when it is reloaded, or goes back and allows again: the result
 * is then that of the first time, for which it waits. Throws as `finishAuthorization` does.
 */
export async function finishOrRepeat(
  services: ConnectServices,
  link: OpenLink,
  callback: URLSearchParams,
): Promise<ConsentConnections | AccountChoice> {
  try {
    const made = await finishAuthorization(services, link, callback);
    return 'accounts' in made ? made : [made];
  } catch (error) {
    if (!(error instanceof AlreadyUsed)) throw error;
    const before = await resultOf(services, link, callback.get('state') ?? '');
    if (before === null) throw error;
    return before;
  }
}

/** Connects the chosen accounts. The same choice once more, as by a second click, has the result of the first. */
export async function chooseOrRepeat(
  services: ConnectServices,
  link: OpenLink,
  chosen: { readonly state: string; readonly externalAccountIds: readonly string[] },
): Promise<ConsentConnections> {
  try {
    return await chooseAccounts(services, link, chosen);
  } catch (error) {
    const used = error instanceof AlreadyUsed ? await readUsed(services, link, chosen.state) : null;
    const made = used?.held.made ?? [];
    if (!isSame(made, new Set(chosen.externalAccountIds))) throw error;
    return made;
  }
}

const isSame = (made: readonly MadeConnection[], wanted: ReadonlySet<string>): boolean =>
  made.length > 0 &&
  made.length === wanted.size &&
  made.every(({ externalAccountId }) => wanted.has(externalAccountId));

/** Result of the authorisation that used a state; null if it had none. */
async function resultOf(
  services: ConnectServices,
  link: OpenLink,
  state: string,
): Promise<ConsentConnections | AccountChoice | null> {
  const began = performance.now();
  for (;;) {
    const used = await readUsed(services, link, state);
    if (!used) return null;
    const { made, opened } = used.held;
    if (made) return made.length > 0 ? made : null;
    // Uses the row already read: by a second read, the choice may have been made.
    if (opened) return used.expiresAt > databaseTime() ? choiceOf(state, used, opened) : null;
    if (databaseTime().getTime() - used.usedAt.getTime() > RUNNING_MS) return null;
    if (performance.now() - began > PATIENCE_MS) {
      throw new CustomerError(
        'service-unavailable',
        'It is not known yet whether it was connected. Please reload this page in a minute.',
      );
    }
    await sleep(ASK_EVERY_MS);
  }
}
