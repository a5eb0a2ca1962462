import type { SandboxContext } from './context.js';
import { booksObjects } from './books/wire/books.js';
import type { SandboxCompany } from './companies.js';
import { payObjects } from './pay/wire/gateway.js';
import type { Platform } from './platform.js';
import { shopObjects } from './shop/wire/shop.js';
import { beginAccount, completeAccount } from './store/accounts.js';
import { type InitialObject, insertInitial, renewStatistics } from './store/objects.js';
import type { DemoRecords } from './world/demo-records.js';
import { createWorld } from './world/world.js';

/** Creates the accounts of a company that do not exist yet. Returns the number of objects stored. */
export async function makeCompany({ pool }: SandboxContext, company: SandboxCompany): Promise<number> {
  let count = 0;
  for (const platform of company.platforms) {
    const { id, name, seed, trade, records } = company;
    const madeOf = JSON.stringify({ trade, records });
    const key = await beginAccount(pool, { platform, id, name, seed, madeOf });
    if (key === null) continue;
    const world = createWorld(platform, { name, seed, trade, records });
    const objects = translate(platform, id, world);
    await insertInitial(pool, key, objects);
    await completeAccount(pool, key);
    count += objects.length;
  }
  if (count > 0) await renewStatistics(pool, count);
  return count;
}

function translate(platform: Platform, accountId: string, world: DemoRecords): InitialObject[] {
  switch (platform) {
    case 'accounting':
      return booksObjects(accountId, world);
    case 'payments':
      return payObjects(accountId, world);
    case 'ecommerce':
      return shopObjects(accountId, world);
    default:
      return platform satisfies never;
  }
}
