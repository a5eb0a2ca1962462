import { type z } from 'zod';

import { type PlatformObject } from '../../platform.js';
import { checked } from '../../inputs/checked.js';
import { aboveZero, decimal, itemOf, positive, references } from '../../inputs/fields.js';
import { lineItemShape, linesOf } from '../../inputs/lines.js';
import { bodyOf, type PushResource } from '../../push.js';
import { difference, isZero } from '../../values/decimals.js';
import { toNumber } from '../../values/json-number.js';
import { decimalOf, objectsIn } from '../../values/platform-values.js';
import { fromWirePath } from '../../../base/names.js';
import { ZOHO_TITLE } from '../client.js';
import { keptOf } from './values.js';

const { item_id, account_id, tax_id, description, unit_amount } = lineItemShape;
const shape = {
  item_id,
  tax_id,
  description,
  quantity: aboveZero(),
  unit_amount,
  tracking_category_ids: references('TRACKING_CATEGORIES').refine(
    (ids) => ids.length === 0,
    'must be empty: Zoho Books wants the tag of each option, too, and tags are not read',
  ),
  total_discount: decimal().refine(
    (discount) => isZero(discount),
    'must be 0: in Zoho Books only lines of invoices have discounts',
  ),
};

/** Lines of invoices: of items, which have the accounts. */
export const invoiceLines = linesOf(
  checked(
    itemOf({ ...shape, total_discount: positive() }, ['unit_amount']),
    ({ item_id: id }, { missing }) => {
      if (id === undefined) missing(['item_id'], ': Zoho Books sells items, each of which has its account');
    },
  ),
);

/** Other lines: of items, or by accounts. */
export const plainLines = linesOf(
  checked(itemOf({ ...shape, account_id }, ['unit_amount']), (line, { missing }) => {
    if (line.item_id === undefined && line.account_id === undefined)
      missing(['account_id'], ' unless there is an item');
  }),
);

export type Line = z.output<typeof plainLines>[number];

export const isDiscounted = ({ total_discount: discount }: Line): boolean =>
  discount !== undefined && !isZero(discount);

export const toZohoLine = (line: Line): PlatformObject =>
  bodyOf(undefined, {
    item_id: line.item_id,
    account_id: line.account_id,
    description: line.description,
    quantity: toNumber(line.quantity ?? '1'),
    rate: toNumber(line.unit_amount),
    discount: isDiscounted(line) ? toNumber(line.total_discount) : undefined,
    tax_id: line.tax_id,
  });

/** What a line that stays is told by, and all that it may lose otherwise. */
const KEPT = [
  'line_item_id',
  'item_id',
  'account_id',
  'project_id',
  'product_type',
  'hsn_or_sac',
  'location_id',
  'name',
  'description',
  'item_order',
  'rate',
  'quantity',
  'unit',
  'discount',
  'tax_id',
  'tds_tax_id',
  'header_id',
];

/** The lines as they are. */
export const keptLines = (document: PlatformObject | null): PlatformObject[] | undefined =>
  document === null
    ? undefined
    : objectsIn(document['line_items']).map((line) => ({
        ...keptOf(line, KEPT),
        ...tagsOf(line),
      }));

function tagsOf(line: PlatformObject): PlatformObject {
  const tags = objectsIn(line['tags']).map((tag) => keptOf(tag, ['tag_id', 'tag_option_id']));
  return tags.length === 0 ? {} : { tags };
}

/** Discounts that were taken for percentages: Zoho tells an amount and a share by the same field. */
export const warnedDiscounts: NonNullable<PushResource['warned']> = (written) =>
  objectsIn(written['line_items']).flatMap((line, index) => {
    const [asked, taken] = [decimalOf(line['discount']), decimalOf(line['discount_amount'])];
    if (asked === null || taken === null || isZero(difference(asked, taken))) return [];
    const words = `is ${taken} at ${ZOHO_TITLE}: check the document there`;
    return [{ words, path: fromWirePath(['line_items', index, 'total_discount']) }];
  });
