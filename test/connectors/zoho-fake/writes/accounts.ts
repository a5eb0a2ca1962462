import { Decimal } from 'decimal.js';

import { type Account, type Kept } from '../domain.js';
import { type ZohoOrganization } from '../organization.js';
import { type Body, namedIn, refuse, textIn } from './body.js';

/** A new account of the chart. */
export function accountOf({ accounts, currencies }: ZohoOrganization, body: Body): Omit<Account, keyof Kept> {
  const name = textIn(body, 'account_name', 200);
  if (name === '') refuse(15, 'account_name is required');
  if (accounts.some((one) => one.name.toLowerCase() === name.toLowerCase())) {
    refuse(11001, `The account name ${name} already exists.`);
  }
  const type = textIn(body, 'account_type');
  if (type === '') refuse(15, 'account_type is required');
  const code = textIn(body, 'account_code', 50);
  if (code !== '' && accounts.some((one) => one.code === code)) {
    refuse(11002, `The account code ${code} already exists.`);
  }
  const parent = namedIn(accounts, body, 'parent_account_id');
  if (parent && parent.type !== type) refuse(11003, 'The parent account is of another account type.');
  const currency = namedIn(currencies, body, 'currency_id');
  const isBank = type === 'bank' || type === 'credit_card';
  const [home] = currencies;
  return {
    name,
    code,
    type,
    description: textIn(body, 'description', 500),
    parentId: parent?.id ?? '',
    balance: new Decimal(0),
    isActive: true,
    ...(currency && { currency }),
    bank: isBank && home ? { name: '', number: '', currency: currency ?? home } : null,
  };
}
