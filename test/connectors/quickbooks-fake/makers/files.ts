import { type QuickbooksCompany } from '../company.js';
import { type Attachable, type Kept } from '../domain.js';
import { indexes, kept, nth } from './kept.js';

const FILES = 30;
const FIRST_ID = 200900000000000008541n;
const KINDS = [
  'Invoice',
  'Bill',
  'SalesReceipt',
  'CreditMemo',
  'RefundReceipt',
  'VendorCredit',
  'Purchase',
  'PurchaseOrder',
  'JournalEntry',
] as const;
const TYPES = [
  ['pdf', 'application/pdf'],
  ['jpg', 'image/jpeg'],
  ['csv', 'text/csv'],
] as const;

/** Files of transactions, of a customer, of nothing at all, of two transactions at once, and notes. */
export function makeFiles({ shelves }: QuickbooksCompany): void {
  for (const index of indexes(FILES)) {
    const [ending, contentType] = nth(TYPES, index);
    const isNote = index % 10 === 9;
    const attachable: Attachable = {
      ...kept(String(FIRST_ID + BigInt(index)), index),
      fileName: isNote ? null : `Scan ${index} "é".${ending}`,
      contentType: isNote ? null : contentType,
      content: `%PDF ${index} ${'x'.repeat(100 + index)}`,
      text: isNote ? 'This is an attached note.' : null,
      refs: refsOf(index),
    };
    shelves.Attachable.push(attachable);
  }

  function refsOf(index: number): Attachable['refs'] {
    if (index % 13 === 11) return [];
    const ref = (type: (typeof KINDS)[number] | 'Customer', at: number) => {
      const shelf: readonly Kept[] = shelves[type];
      return { type, id: nth(shelf, at).id };
    };
    if (index % 13 === 8) return [ref('Customer', 0)];
    const first = ref(nth(KINDS, index), index);
    return index % 13 === 5 ? [ref('Customer', 0), first, ref('Bill', 2)] : [first];
  }
}
