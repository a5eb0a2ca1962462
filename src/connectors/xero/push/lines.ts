import { type z } from 'zod';

import { decimal, itemOf, references } from '../../inputs/fields.js';
import { journalLineShape, lineItemShape, linesOf } from '../../inputs/lines.js';
import { type PlatformObject } from '../../platform.js';
import { bodyOf, type WriteTools } from '../../push.js';
import { checked } from '../../inputs/checked.js';
import { itemCode, lineAccount, tracking } from './references.js';
import { toNumber } from '../../values/json-number.js';

const MAX_TAGS = 2;
const tracking_category_ids = references('TRACKING_CATEGORIES').max(
  MAX_TAGS,
  `must have at most ${MAX_TAGS}`,
);

const { project_id: _project, ...lineShape } = { ...lineItemShape, tracking_category_ids };

const isZero = (decimal: string | undefined): boolean => decimal !== undefined && /^-?[0.]+$/.test(decimal);

const undiscounted = {
  ...lineShape,
  total_discount: decimal().refine(isZero, 'must be 0: Xero only accepts discounts on invoices to customers'),
};

const described = <Line extends z.ZodObject>(line: Line): Line =>
  checked(line, (item, { missing }) => {
    const { description, item_id } = item as { readonly description?: string; readonly item_id?: string };
    if (!description && item_id === undefined) missing(['description'], ' unless there is an item');
  });

/** Lines of an invoice to a customer: each needs a description, or an item that has one. */
export const discountedLines = linesOf(described(itemOf(lineShape)));
/** Lines of all other documents. */
export const plainLines = linesOf(described(itemOf(undiscounted)));

type LineOfItem = z.output<typeof discountedLines>[number];

export function toXeroLine(line: LineOfItem, tools: WriteTools): PlatformObject {
  return bodyOf(undefined, {
    ItemCode: itemCode(line.item_id, tools),
    Description: line.description,
    Quantity: toNumber(line.quantity),
    UnitAmount: toNumber(line.unit_amount),
    DiscountAmount: toNumber(isZero(line.total_discount) ? undefined : line.total_discount),
    ...lineAccount(line.account_id, tools),
    TaxType: line.tax_id,
    Tracking: tracking(line.tracking_category_ids, tools),
  });
}

const {
  contact_id: _contact,
  tax_amount: _tax,
  ...journalShape
} = { ...journalLineShape, tracking_category_ids };
const journalLine = itemOf(journalShape, ['account_id', 'type', 'net_amount']);
export const journalLines = linesOf(journalLine, 2);

/** Debits are positive, credits negative. */
export function toXeroJournalLine(line: z.output<typeof journalLine>, tools: WriteTools): PlatformObject {
  return bodyOf(undefined, {
    LineAmount: toNumber(line.type === 'CREDIT' ? `-${line.net_amount}` : line.net_amount),
    ...lineAccount(line.account_id, tools),
    Description: line.description,
    TaxType: line.tax_id,
    Tracking: tracking(line.tracking_category_ids, tools),
  });
}
