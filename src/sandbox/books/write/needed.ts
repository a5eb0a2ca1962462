import { CONTROL } from '../../postings.js';
import type { Change } from '../../store/change.js';
import type { BooksKind } from '../kinds.js';
import type { BooksObject } from '../objects.js';

type Named = BooksObject & Readonly<Record<string, unknown>>;

/** How other objects refer to an object of a kind, in their JSON. */
const NAMED_AS: Partial<Readonly<Record<BooksKind, (object: Named) => string[]>>> = {
  Partners: ({ Guid }) => [`"${Guid}"`],
  Products: ({ Sku }) => [`"ProductSku":${JSON.stringify(Sku)}`],
  TaxCodes: ({ Code }) => [`"TaxCode":${JSON.stringify(Code)}`],
  LedgerAccounts: ({ Number: number }) => [
    `AccountNumber":${JSON.stringify(number)}`,
    `"ParentNumber":${JSON.stringify(number)}`,
  ],
};

const CONTROL_NUMBERS: readonly unknown[] = Object.values(CONTROL);

/** Why an object must stay, with its number or code: null if nothing needs it. */
export async function needOf(change: Change, kind: BooksKind, object: BooksObject): Promise<string | null> {
  const named = object as Named;
  if (kind === 'LedgerAccounts' && CONTROL_NUMBERS.includes(named['Number'])) return 'Books posts to it';
  const texts = NAMED_AS[kind]?.(named) ?? [];
  if (texts.length === 0) return null;
  const { rowCount } = await change.client.query(
    `SELECT FROM objects WHERE account = $1 AND deleted_at IS NULL AND id <> $2
     AND EXISTS (SELECT FROM unnest($3::text[]) AS text WHERE position(text IN body) > 0) LIMIT 1`,
    [change.account, object.Guid, texts],
  );
  return (rowCount ?? 0) > 0 ? 'other objects name it' : null;
}
