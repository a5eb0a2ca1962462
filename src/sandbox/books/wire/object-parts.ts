import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type { address, lineItem } from '../../../records/index.js';
import type { BooksLine, BooksObject } from '../objects.js';
import { moneyOf } from '../values.js';
import type { BooksNames } from './names.js';
import { ADDRESS_USES, word } from './words.js';

/** Id and times of an object; the world has a single time for each. */
export function idAndTimes(
  { platformId, values }: UnifiedRecord,
  { guid }: BooksNames,
): Pick<BooksObject, 'Guid' | 'CreatedOn' | 'ChangedOn'> {
  const { updatedAt } = values as { readonly updatedAt: string };
  return { Guid: guid(platformId), CreatedOn: updatedAt, ChangedOn: updatedAt };
}

interface BooksAddress {
  readonly Use: string;
  readonly Street: string | null;
  readonly District: string | null;
  readonly Town: string | null;
  readonly Region: string | null;
  readonly PostCode: string | null;
  readonly Country: string | null;
}

export function addressesOf({ lines }: UnifiedRecord): BooksAddress[] {
  const addresses = (lines?.['addresses'] ?? []) as readonly UnifiedLine<typeof address>[];
  return addresses.map(({ values }) => ({
    Use: word(ADDRESS_USES, values.type),
    Street: values.street ?? null,
    District: values.locality ?? null,
    Town: values.city ?? null,
    Region: values.state ?? null,
    PostCode: values.pincode ?? null,
    Country: values.country ?? null,
  }));
}

export function linesOf({ lines }: UnifiedRecord, currency: string, names: BooksNames): BooksLine[] {
  const items = (lines?.['lineItems'] ?? []) as readonly UnifiedLine<typeof lineItem>[];
  return items.map(({ platformId, values }) => ({
    LineGuid: names.guid(platformId ?? ''),
    ProductSku: names.sku(values.itemId),
    AccountNumber: names.accountNumber(values.accountId),
    TaxCode: names.taxCode(values.taxId),
    Project: values.projectId == null ? null : names.guid(values.projectId),
    Text: values.description ?? null,
    Quantity: values.quantity ?? '0',
    UnitPrice: moneyOf(values.unitAmount ?? 0, currency),
    LineTotal: moneyOf(values.subTotal ?? 0, currency),
    Discount: moneyOf(values.totalDiscount ?? 0, currency),
    Tax: moneyOf(values.taxAmount ?? 0, currency),
    Gross: moneyOf(values.totalAmount ?? 0, currency),
    DimensionOptions: (values.trackingCategoryIds ?? []).map(names.guid),
  }));
}
