import { type PlatformObject } from '../../platform.js';
import { name } from '../../inputs/fields.js';
import { type Kept } from '../../inputs/rounded.js';
import { QUICKBOOKS_TITLE } from '../client.js';

/** Amounts have cents, also in currencies that have none, or thousandths. */
export const MONEY: Kept = { title: QUICKBOOKS_TITLE, digits: 2 };

/** A reference by id or code. */
export const refTo = (value: string | undefined): PlatformObject | undefined =>
  value === undefined ? undefined : { value };

/** The name of an entry of a list of names: a colon would be read as one below another. */
export const listName = (max: number) =>
  name(max).refine((value) => !/[:\t\n\r]/.test(value), 'must not contain a colon, a tab or a line break');
