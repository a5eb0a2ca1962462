import { Decimal } from 'decimal.js';

import { type RecordDefinition, records } from '../../src/records/index.js';

/** The values that there are, decimals by what they are worth. */
export function plainValues({ own }: RecordDefinition, values: object): Record<string, unknown> {
  const entries = Object.entries(values as Readonly<Record<string, unknown>>)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      const kind = own[name]?.kind;
      const isDecimal = kind === 'decimalNumber' || kind === 'decimalText';
      return [name, isDecimal ? new Decimal(String(value)).toFixed() : value];
    });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

export function definitionFor(dataModel: string): RecordDefinition {
  const found = records.find((definition) => definition.dataModel === dataModel);
  if (!found) throw new Error(`there is no ${dataModel}`);
  return found;
}
