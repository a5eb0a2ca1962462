import { type Lookups } from '../../../src/connectors/connector.js';

/** A company whose base currency is NZD and whose account 200 is `sales`. */
export const lookups: Lookups = {
  baseCurrency: 'NZD',
  platformIdOf: (dataModel, field, value) =>
    dataModel === 'ACCOUNTS' && field === 'nominalCode' && value === '200' ? 'sales' : null,
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
