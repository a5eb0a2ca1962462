import { type QuickbooksCompany } from '../company.js';
import { type TradeEntity } from '../domain.js';
import { activeOf, addDocument, salesLines, voidDocument } from './documents.js';
import { indexes, nth } from './kept.js';
import { accountNamed } from './settings.js';

const SALES_RECEIPTS = 30;
const REFUND_RECEIPTS = 12;

/** Sales over the counter and what was paid back of them, some to or from nobody in particular. */
export function makeReceipts(company: QuickbooksCompany): void {
  for (const index of indexes(SALES_RECEIPTS)) addReceipt(company, 'SalesReceipt', index);
  for (const index of indexes(REFUND_RECEIPTS)) addReceipt(company, 'RefundReceipt', index);
}

function addReceipt(company: QuickbooksCompany, entity: TradeEntity, index: number): void {
  const { Customer, PaymentMethod } = company.shelves;
  const contact = index % 5 === 4 ? null : nth(activeOf(Customer), index);
  const currency = contact?.currency ?? company.home;
  const account = accountNamed(company, index % 3 === 0 ? 'Undeposited Funds' : 'Checking');
  const receipt = addDocument(company, {
    entity,
    contact,
    index,
    lines: salesLines({ company, currency, index }),
    own: {
      currency,
      message: index % 4 === 0 ? 'Thank you for your purchase!' : null,
      receipt: {
        account,
        method: index % 3 === 2 ? null : nth(PaymentMethod, index),
        reference: index % 2 === 0 ? `REF-${index}` : null,
      },
    },
  });
  if (index % 11 === 7) voidDocument(receipt);
}
