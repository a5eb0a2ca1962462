import { setTimeout as sleep } from 'node:timers/promises';

import { cancel, checkOut, countStock, moveCustomer, refund, renameProduct, ship } from './trade.js';

/** A sync makes at least this many calls to the shop: one per record type, and two for this number of customers. */
const MAX_CALLS = 7;
/** Time until the answer of a call is stored, or nearly so. */
const STORED_MS = 120;

/**
 * Trades, starts a sync and kills its worker at a randomly chosen call: before the shop receives it, or after it has
 * answered. Trading continues meanwhile. Returns the problems of the kill itself.
 */
export async function killRound(world, round) {
  const { gate, service, companyId, random } = world;
  await trade(world, `${round}a`);
  const kills = service.worker.kills;
  const fullSync = random.next() < 0.5;
  let killed = Promise.resolve();
  gate.expect({
    at: random.integer(1, MAX_CALLS),
    when: random.next() < 0.4 ? 'before' : 'after',
    afterMs: random.integer(0, STORED_MS),
    act: () => (killed = service.worker.kill()),
  });
  const ended = await service.sync(companyId, { fullSync });
  await trade(world, `${round}b`);
  await ended();
  await killed;
  gate.expect(null);
  // The next sync gets what happened during this one.
  const last = await service.sync(companyId, { fullSync: false });
  await last();
  return service.worker.kills === kills + 1 ? [] : ['the worker was not killed'];
}

async function trade({ shop, random }, name) {
  const customer = { firstName: 'Kim', lastName: name, email: `kim-${name}@example.com` };
  const variantId = String(random.integer(1, 10));
  const order = await checkOut(shop, { variantId, quantity: random.integer(1, 3), customer });
  const then = random.pick([
    () => cancel(shop, order),
    () => refund(shop, order, 100),
    () => ship(shop, order, `GB-${name}`),
    () => sleep(0),
  ]);
  await then();
  await renameProduct(shop, String(random.integer(5, 15)), `Renamed ${name}`);
  await countStock(shop, String(random.integer(11, 20)), random.integer(1, 90));
  await moveCustomer(shop, '1', `${name} Street`);
}
