import { type z } from 'zod';

import { itemOf } from '../../../inputs/fields.js';
import { journalLineShape, lineItemShape, linesOf } from '../../../inputs/lines.js';
import { type PlatformObject } from '../../../platform.js';
import { bodyOf } from '../../../push.js';
import { type CodesTo } from './tools.js';

const line = itemOf(lineItemShape, ['quantity', 'unit_amount']);
/** Document lines: Books requires a quantity, a price, and an account unless the product has one. */
export const booksLines = linesOf(line);

export function toBooksLine(item: z.output<typeof line>, codes: CodesTo): PlatformObject {
  return bodyOf(undefined, {
    ProductSku: codes.product(item.item_id),
    AccountNumber: codes.account(item.account_id),
    TaxCode: codes.tax(item.tax_id),
    Project: item.project_id,
    Text: item.description,
    Quantity: item.quantity,
    UnitPrice: item.unit_amount,
    Discount: item.total_discount,
    DimensionOptions: item.tracking_category_ids,
  });
}

const journalLine = itemOf(journalLineShape, ['account_id', 'type', 'net_amount']);
export const booksJournalLines = linesOf(journalLine, 2);

export function toBooksJournalLine(item: z.output<typeof journalLine>, codes: CodesTo): PlatformObject {
  return bodyOf(undefined, {
    AccountNumber: codes.account(item.account_id),
    Partner: item.contact_id,
    Text: item.description,
    [item.type === 'DEBIT' ? 'Debit' : 'Credit']: item.net_amount,
    TaxCode: codes.tax(item.tax_id),
    Tax: item.tax_amount,
    DimensionOptions: item.tracking_category_ids,
  });
}
