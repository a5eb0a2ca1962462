import { type PlatformObject } from '../platform.js';
import { objectOf } from '../values/platform-values.js';
import { unexpected } from './query.js';

/** Shop settings that are read with each page because its objects depend on them. */
export interface ShopSettings {
  /** Fields of `globalSettings`. */
  readonly fields: string;
  /** The context added to each object of the page. */
  contextOf(settings: PlatformObject): PlatformObject;
}

export const NO_SETTINGS: ShopSettings = { fields: 'id', contextOf: () => ({}) };

/** The number of decimals in the shop's minor units. */
export const MONEY: ShopSettings = {
  fields: 'serverConfig { moneyStrategyPrecision }',
  contextOf: (settings) => {
    const moneyPrecision = objectOf(settings['serverConfig'])?.['moneyStrategyPrecision'];
    if (typeof moneyPrecision !== 'number') throw unexpected('did not report the precision of its amounts');
    return { moneyPrecision };
  },
};

/** Whether the shop tracks the stock of variants that inherit its setting. */
export const TRACKING: ShopSettings = {
  fields: 'trackInventory',
  contextOf: ({ trackInventory }) => {
    if (typeof trackInventory !== 'boolean')
      throw unexpected('did not report whether it tracks its inventory');
    return { shopTracksInventory: trackInventory };
  },
};
