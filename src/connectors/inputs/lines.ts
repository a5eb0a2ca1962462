import { z } from 'zod';

import { JOURNAL_LINE_TYPES } from '../../records/value-sets.js';
import { aboveZero, choice, decimal, itemOf, reference, references, text } from './fields.js';

/** A line item in writes (Reference G3). */
export const lineItemShape = {
  account_id: reference('ACCOUNTS'),
  item_id: reference('ITEMS'),
  tax_id: reference('TAX_RATES'),
  tracking_category_ids: references('TRACKING_CATEGORIES'),
  project_id: reference('PROJECTS'),
  description: text(),
  quantity: decimal(),
  unit_amount: decimal(),
  total_discount: decimal(),
};

/** A journal line in writes (Reference 4.2). The amount is never negative; `type` says which side it is on. */
export const journalLineShape = {
  account_id: reference('ACCOUNTS'),
  contact_id: reference('CONTACTS'),
  tax_id: reference('TAX_RATES'),
  tracking_category_ids: references('TRACKING_CATEGORIES'),
  type: choice(JOURNAL_LINE_TYPES),
  description: text(),
  net_amount: aboveZero(),
  tax_amount: decimal(),
};

const MAX_LINES = 1000;

/** The lines of a document, at least `fewest`. */
export const linesOf = <Line extends z.ZodType>(line: Line, fewest = 1) =>
  z
    .array(line, { error: 'must be a list of lines' })
    .min(fewest, `must have at least ${fewest}`)
    .max(MAX_LINES, `must have at most ${MAX_LINES}`);

export const lineItems = () => linesOf(itemOf(lineItemShape));
