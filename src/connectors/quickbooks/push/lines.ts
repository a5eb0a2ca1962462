import { Decimal } from 'decimal.js';
import { type z } from 'zod';

import { type WriteWarning } from '../../../errors.js';
import { fromWirePath } from '../../../base/names.js';
import { type PlatformObject } from '../../platform.js';
import { checked, type Wrong } from '../../inputs/checked.js';
import { decimal, itemOf, references } from '../../inputs/fields.js';
import { lineItemShape, linesOf } from '../../inputs/lines.js';
import { roundedWarnings, roundTo } from '../../inputs/rounded.js';
import { bodyOf } from '../../push.js';
import { isZero, product } from '../../values/decimals.js';
import { toNumber } from '../../values/json-number.js';
import { MONEY, refTo } from './values.js';

const TRACKED = /^(class|department):(\d+)$/;
const TRACKING = 'must be ids of a class or a location, such as class:3 or department:1';

const {
  project_id: _project,
  account_id,
  item_id,
  ...shape
} = {
  ...lineItemShape,
  tracking_category_ids: references('TRACKING_CATEGORIES')
    .refine((ids) => ids.every((id) => TRACKED.test(id)), TRACKING)
    .refine((ids) => trackedIn('class', ids).length <= 1, 'must have at most one class'),
  total_discount: decimal().refine(
    (discount) => isZero(discount),
    'must be 0: QuickBooks has no discounts of lines, but lower prices',
  ),
};

/** Lines of what is sold: of items, which have the accounts. */
export const salesLines = linesOf(
  checked(itemOf({ item_id, ...shape }, ['unit_amount']), (line, { missing }) => {
    if (line.item_id === undefined)
      missing(['item_id'], ': QuickBooks sells items, each of which has its account');
  }),
);

/** Lines of what is bought: of items, or by accounts. */
export const purchaseLines = linesOf(
  checked(itemOf({ item_id, account_id, ...shape }, ['unit_amount']), (line, { missing }) => {
    if (line.item_id === undefined && line.account_id === undefined)
      missing(['account_id'], ' unless there is an item');
  }),
);

export type PurchaseLine = z.output<typeof purchaseLines>[number];
type Line = Omit<PurchaseLine, 'account_id'> & { readonly account_id?: string | undefined };

const trackedIn = (kind: string, ids: readonly string[] = []): string[] =>
  ids.flatMap((id) => {
    const [, entity, number] = TRACKED.exec(id) ?? [];
    return entity === kind && number !== undefined ? [number] : [];
  });

/** A document has one location, and its lines none. */
export function checkLocations(lines: readonly Line[], wrong: Wrong): void {
  const [first, ...others] = lines.map(({ tracking_category_ids: ids }) =>
    trackedIn('department', ids).join(),
  );
  const index = others.findIndex((other) => other !== first) + 1;
  if (index === 0 && !first?.includes(',')) return;
  wrong(
    ['line_items', index, 'tracking_category_ids'],
    'must have the same location as all other lines, or none: QuickBooks has one for the whole document',
  );
}

export const locationOf = ([line]: readonly Line[]): PlatformObject | undefined =>
  refTo(trackedIn('department', line?.tracking_category_ids)[0]);

export const toSalesLine = (line: Line): PlatformObject =>
  toLine(line, 'SalesItemLineDetail', itemDetail(line));

export const toPurchaseLine = (line: Line): PlatformObject =>
  isByAccount(line)
    ? toLine(line, 'AccountBasedExpenseLineDetail', { AccountRef: refTo(line.account_id) })
    : toLine(line, 'ItemBasedExpenseLineDetail', itemDetail(line));

const isByAccount = ({ item_id: id }: Pick<Line, 'item_id'>): boolean => id === undefined;

/** QuickBooks wants a quantity where there is a price. */
const itemDetail = ({ item_id: id, quantity = '1', unit_amount }: Line): PlatformObject => ({
  ItemRef: refTo(id),
  Qty: toNumber(quantity),
  UnitPrice: toNumber(unit_amount),
});

function toLine(line: Line, DetailType: string, detail: PlatformObject): PlatformObject {
  const own = {
    ...detail,
    TaxCodeRef: refTo(line.tax_id),
    ClassRef: refTo(trackedIn('class', line.tracking_category_ids)[0]),
  };
  return bodyOf(undefined, {
    Description: line.description,
    Amount: toNumber(amountOf(line)),
    DetailType,
    [DetailType]: bodyOf(undefined, own),
  });
}

/** QuickBooks does not compute it, but compares. */
const amountOf = ({ quantity = '1', unit_amount }: Line): string =>
  roundTo(product(quantity, unit_amount) ?? '0', MONEY.digits);

/** Warnings about what QuickBooks does not store of lines of what is bought. */
export const unwrittenOfLines = (lines: readonly Line[]): WriteWarning[] =>
  lines.flatMap((line, index) => {
    const pathOf = (name: string) => ['line_items', index, name];
    const warning = (name: string, words: string) => ({ words, path: fromWirePath(pathOf(name)) });
    if (!isByAccount(line)) {
      const words = 'is not written: QuickBooks books to the account of the item';
      return line.account_id === undefined ? [] : [warning('account_id', words)];
    }
    if (line.quantity === undefined || new Decimal(line.quantity).equals(1))
      return roundedWarnings(line.unit_amount, MONEY, pathOf('unit_amount'));
    const words = `is not written: QuickBooks stores lines by account as an amount, here ${amountOf(line)}`;
    return [warning('quantity', words)];
  });
