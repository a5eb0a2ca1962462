import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { account, contact, currency, item, taxRate } from '../../../records/index.js';
import type { DemoRecords } from '../../world/demo-records.js';
import { guidOf } from '../../world/ids.js';
import type { PartnerReference } from '../objects.js';

type NameOf = (id: string | null | undefined) => string | null;

/**
 * How objects of a generated world refer to each other in Books: by number or code where the world uses its own ids.
 */
export interface BooksNames {
  /** The GUID of any object, by its id in the world. */
  readonly guid: (id: string) => string;
  readonly accountNumber: NameOf;
  readonly taxCode: NameOf;
  readonly sku: NameOf;
  readonly currency: NameOf;
  readonly partner: (id: string | null | undefined) => PartnerReference | null;
}

export function createNames(accountId: string, books: DemoRecords): BooksNames {
  const index = (model: string, name: (record: UnifiedRecord) => string | null | undefined) => {
    const names = new Map(
      (books.get(model) ?? []).map((record) => [record.platformId, name(record) ?? null]),
    );
    return (id: string | null | undefined) => (id == null ? null : (names.get(id) ?? null));
  };
  const known = new Map<string, string>();
  const guid = (id: string): string => {
    let found = known.get(id);
    if (found === undefined) known.set(id, (found = guidOf(accountId, id)));
    return found;
  };
  const partnerTitle = index('CONTACTS', (one) => (one as UnifiedRecord<typeof contact>).values.name);
  return {
    guid,
    accountNumber: index('ACCOUNTS', (one) => (one as UnifiedRecord<typeof account>).values.nominalCode),
    taxCode: index('TAX_RATES', (one) => (one as UnifiedRecord<typeof taxRate>).values.code),
    sku: index('ITEMS', (one) => (one as UnifiedRecord<typeof item>).values.code),
    currency: index('CURRENCIES', (one) => (one as UnifiedRecord<typeof currency>).values.code),
    partner: (id) => {
      const title = partnerTitle(id);
      return id == null || title === null ? null : { Guid: guid(id), Title: title };
    },
  };
}
