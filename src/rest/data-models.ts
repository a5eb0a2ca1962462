import { connectors } from '../connectors/index.js';
import type { Category } from '../records/define.js';
import { recordTypeOf, records } from '../records/index.js';
import { STATEMENT_PLACES } from './statement-places.js';

/** Lines that the reference treats as data models, by their type here. Reference G6. */
const LINES: Readonly<Record<string, readonly [Category, string]>> = {
  ADDRESSES: ['ACCOUNTING', 'Address'],
  EXTERNAL_LINKS: ['ACCOUNTING', 'ExternalLink'],
  JOURNAL_LINES: ['ACCOUNTING', 'JournalLine'],
  LINE_ITEMS: ['ACCOUNTING', 'LineItem'],
  PHONE_NUMBERS: ['ACCOUNTING', 'PhoneNumber'],
  PAYMENT_ADDRESSES: ['PAYMENTS', 'Address'],
  PAYMENT_EXTERNAL_LINKS: ['PAYMENTS', 'ExternalLink'],
  PAYMENT_LINE_ITEMS: ['PAYMENTS', 'PaymentLineItem'],
  PAYMENT_PHONE_NUMBERS: ['PAYMENTS', 'PhoneNumber'],
  ECOMMERCE_LINE_ITEMS: ['ECOMMERCE', 'EcommerceLineItem'],
};

/** The record types that have lines of a type. */
const havingLines = (category: Category, line: string): string[] =>
  records
    .filter((one) => one.category === category)
    .filter(({ relations }) =>
      Object.values(relations).some(
        (relation) =>
          ['lines', 'linesOf'].includes(relation.kind) && 'target' in relation && relation.target === line,
      ),
    )
    .map(({ dataModel }) => dataModel);

/**
 * Data models that are not record types, by the types that they are part of or computed from: those are read and
 * followed instead.
 */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.entries(LINES).map(([name, of]) => [name, havingLines(...of)] as const),
  ['CONTACT_PERSONS', ['CONTACTS']],
  ...STATEMENT_PLACES.map(({ dataModel }) => [dataModel, ['ACCOUNTS', 'JOURNAL_ENTRIES']] as const),
]);

/** The names of all data models, as bodies take them. */
export const NAMES: readonly string[] = [...records.map(({ dataModel }) => dataModel), ...MEANT.keys()];

/** Whether a name, in any case, is that of a data model. */
export const isDataModel = (name: string): boolean =>
  MEANT.has(name.toUpperCase()) || recordTypeOf(name.toUpperCase()) !== null;

/**
 * The record types that data model names mean, deduplicated; unknown names are kept. A name that covers several types
 * means those that the platform has.
 */
export function meantBy(names: readonly string[], integrationType: string | null = null): string[] {
  const had = integrationType === null ? null : dataModelsOf(integrationType);
  const types = names.flatMap((name) => {
    const meant = MEANT.get(name.toUpperCase()) ?? [isDataModel(name) ? name.toUpperCase() : name];
    const own = had ? meant.filter((one) => had.has(one)) : meant;
    return own.length > 0 ? own : meant;
  });
  return [...new Set(types)];
}

const dataModelsOf = (integrationType: string): ReadonlySet<string> =>
  new Set(
    connectors
      .filter((one) => one.integrationType === integrationType.toUpperCase())
      .flatMap(({ pulls }) => pulls.map(({ definition }) => definition.dataModel)),
  );
