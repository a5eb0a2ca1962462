import { AppError } from '../errors.js';
import { type Claimant, FairQueue } from '../base/fair-queue.js';

/** Each holds a database connection until the platform responds: the others are left to requests. */
const AT_ONCE = 4;
const OF_AN_ORGANISATION = 2;
const PATIENCE_MS = 15_000;

const turns = new FairQueue({
  places: AT_ONCE,
  perOrganisation: OF_AN_ORGANISATION,
  maxWaiting: 1000,
  what: 'renewals of tokens',
});

/** Renews in this process's turn. Throws `platform-timeout` if earlier ones take too long. */
export async function withRenewalTurn<Result>(
  claimant: Claimant,
  renew: () => Promise<Result>,
): Promise<Result> {
  await turnOf(claimant);
  try {
    return await renew();
  } finally {
    turns.leave(claimant);
  }
}

const turnOf = (claimant: Claimant): Promise<void> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | null = null;
    const giveUp = turns.enter(claimant, () => {
      if (timer) clearTimeout(timer);
      resolve();
      return true;
    });
    if (!giveUp) return;
    timer = setTimeout(() => {
      giveUp();
      const message = `other token renewals have been waiting for their platforms for ${PATIENCE_MS} ms: this one was not attempted`;
      reject(new AppError('platform-timeout', message));
    }, PATIENCE_MS);
  });
