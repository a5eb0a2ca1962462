import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { DOCUMENT_TYPES } from '../../../records/value-sets.js';
import type { document } from '../../../records/index.js';
import type { DemoRecords } from '../demo-records.js';
import type { Random } from '../random.js';
import { type Size, spread } from '../size.js';
import { instant } from '../time.js';

/** Record types with attached files, and the type of the file. */
const TYPES: readonly (readonly [dataModel: (typeof DOCUMENT_TYPES)[number], fileType: string])[] = [
  ['INVOICES', 'application/pdf'],
  ['BILLS', 'application/pdf'],
  ['SALES_ORDERS', 'application/pdf'],
  ['PURCHASE_ORDERS', 'application/pdf'],
  ['INVOICE_CREDIT_NOTES', 'application/pdf'],
  ['BILL_CREDIT_NOTES', 'image/jpeg'],
  ['JOURNAL_ENTRIES', 'text/csv'],
  ['EXPENSES', 'image/jpeg'],
];
const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'text/csv': 'csv',
};

/** Files for two out of three records of each type. */
export function createDocuments(
  random: Random,
  books: DemoRecords,
  size: Size,
): UnifiedRecord<typeof document>[] {
  return TYPES.flatMap(([documentType, fileType], row) =>
    (books.get(documentType) ?? [])
      .filter(({ deleted }, index) => !deleted && index % 3 !== 2)
      .map(({ platformId }, index) => ({
        platformId: `file-${platformId}`,
        values: {
          documentType,
          documentTypeId: platformId,
          documentUploaded: index % 11 !== 10,
          fileName: `${platformId.toUpperCase()}.${EXTENSIONS[fileType] ?? 'bin'}`,
          fileSize: String(random.integer(18_000, 940_000)),
          fileType,
          updatedAt: instant(spread(size, index, 3) + row / 10),
        },
      })),
  );
}
