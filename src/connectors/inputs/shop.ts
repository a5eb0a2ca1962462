import { choice, itemOf, name, rawData, text } from './fields.js';
import { addressShape } from './masters.js';
import { RECORD_STATUSES } from '../../records/value-sets.js';

/** Write items of shop customers and products (Reference G4). */

const { type: _type, ...address } = addressShape;

export const shopCustomerShape = {
  name: name(),
  email: text(254),
  phone: text(50),
  address: itemOf(address),
  raw_data: rawData(),
};

export const shopProductShape = {
  name: name(),
  description: text(),
  status: choice(RECORD_STATUSES),
  raw_data: rawData(),
};

/** Splits a name for shops that store first and last name: the last of several words is the last name. */
export function partsOfName(whole: string | undefined): { readonly first?: string; readonly last?: string } {
  const words = whole?.trim().split(/\s+/) ?? [];
  const last = words.length > 1 ? words.at(-1) : undefined;
  const first = words.slice(0, last === undefined ? undefined : -1).join(' ');
  return { ...(first === '' ? {} : { first }), ...(last === undefined ? {} : { last }) };
}
