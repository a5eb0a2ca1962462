import { type Lookups } from '../../../src/connectors/pull.js';

const KNOWN: Readonly<Record<string, string>> = {
  'ACCOUNTS nominalCode 200': 'sales',
  'ACCOUNTS nominalCode 310': 'cost-of-sales',
  'ITEMS code HOURS': 'hours',
};

/** A company whose base currency is NZD, whose account 200 is `sales` and whose item HOURS is `hours`. */
export const lookups: Lookups = {
  baseCurrency: 'NZD',
  platformIdOf: (dataModel, field, value) => KNOWN[`${dataModel} ${field} ${value}`] ?? null,
};

export const nothingKnown: Lookups = { baseCurrency: null, platformIdOf: () => null };

/** Values of no type that a mapper expects anywhere. */
export const oddValues: readonly unknown[] = [
  null,
  undefined,
  7,
  true,
  'odd',
  [],
  {},
  [null],
  [[]],
  ['odd'],
  [7],
];
