import { type PlatformObject } from '../connector.js';
import { objectOf } from '../platform-values.js';
import { unexpected } from './query.js';

/** Settings of the shop that are read with each page, since its objects are not understood without them. */
export interface ShopSettings {
  /** Fields of `globalSettings`. */
  readonly fields: string;
  /** What each object of the page is given. */
  contextOf(settings: PlatformObject): PlatformObject;
}

export const NO_SETTINGS: ShopSettings = { fields: 'id', contextOf: () => ({}) };

/** How many decimals the shop's minor units have. */
export const MONEY: ShopSettings = {
  fields: 'serverConfig { moneyStrategyPrecision }',
  contextOf: (settings) => {
    const moneyPrecision = objectOf(settings['serverConfig'])?.['moneyStrategyPrecision'];
    if (typeof moneyPrecision !== 'number') throw unexpected('did not say how precise its amounts are');
    return { moneyPrecision };
  },
};

/** Whether the stock of variants that leave it to the shop is tracked. */
export const TRACKING: ShopSettings = {
  fields: 'trackInventory',
  contextOf: ({ trackInventory }) => {
    if (typeof trackInventory !== 'boolean') throw unexpected('did not say whether it tracks its inventory');
    return { shopTracksInventory: trackInventory };
  },
};
