import { type Lookups } from '../../../src/connectors/pull.js';

/** A company whose base currency is AUD, and that has every code: the id of account 4100 is `ACCOUNTS 4100`. */
export const lookups: Lookups = {
  baseCurrency: 'AUD',
  platformIdOf: (dataModel, _field, value) => `${dataModel} ${value}`,
};

export const nothingKnown: Lookups = { baseCurrency: null, platformIdOf: () => null };

/** Knows everything but one code. */
export const allBut = (code: string): Lookups => ({
  baseCurrency: 'AUD',
  platformIdOf: (dataModel, _field, value) => (value === code ? null : `${dataModel} ${value}`),
});
