import { type QuickbooksCompany } from '../company.js';
import { type Account, type Kept } from '../domain.js';
import { business, missing, Refusal, unreadable } from '../problems.js';
import { ZERO } from '../totals.js';
import { type Body, flagIn, neededText, textIn } from './body.js';
import { currencyIn, namedBy } from './find.js';
import { namedOf } from './names.js';

type Classification = Account['classification'];

/** Types, with what they count as, and the detail type that an account has without one. */
const TYPES: Readonly<Record<string, readonly [Classification, string]>> = {
  Bank: ['Asset', 'CashOnHand'],
  'Other Current Asset': ['Asset', 'OtherCurrentAssets'],
  'Fixed Asset': ['Asset', 'OtherFixedAssets'],
  'Credit Card': ['Liability', 'CreditCard'],
  'Other Current Liability': ['Liability', 'OtherCurrentLiabilities'],
  Equity: ['Equity', 'OpeningBalanceEquity'],
  Income: ['Revenue', 'OtherPrimaryIncome'],
  'Cost of Goods Sold': ['Expense', 'OtherCostsOfServiceCos'],
  Expense: ['Expense', 'OtherMiscellaneousServiceCost'],
};

/** Some of the detail types, and the type of each. */
const DETAILS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(TYPES).map(([type, [, detail]]) => [detail, type])),
  Checking: 'Bank',
  Savings: 'Bank',
  Vehicles: 'Fixed Asset',
  SalesOfProductIncome: 'Income',
  Travel: 'Expense',
};

/** Only these may be in another currency than the company. */
const FOREIGN = ['Bank', 'Credit Card', 'Accounts Receivable', 'Accounts Payable'];

export function accountOf(
  company: QuickbooksCompany,
  body: Body,
  before: Account | null,
): Omit<Account, keyof Kept> {
  const detail = textIn(body, 'AccountSubType');
  const type = textIn(body, 'AccountType') ?? (detail === null ? null : DETAILS[detail]);
  if (type === null) throw new Refusal(missing('AccountType'));
  const [classification, usual] = TYPES[type ?? ''] ?? [];
  if (type === undefined || classification === undefined || usual === undefined) {
    throw new Refusal(unreadable('AccountSubType'));
  }
  if (detail !== null && DETAILS[detail] !== type) {
    throw new Refusal(business(`The account type ${type} does not match the detail type ${detail}.`));
  }
  const parent = namedBy(company.shelves.Account, body, 'ParentRef');
  if (parent && (parent.type !== type || flagIn(body, 'SubAccount') !== true)) {
    throw new Refusal(business('A subaccount must have the same type as its parent account.'));
  }
  const currency = currencyIn(company, body) ?? company.home;
  if (!currency.isHome && !FOREIGN.includes(type)) {
    throw new Refusal(business(`An account of the type ${type} must be in the home currency.`));
  }
  return {
    ...namedOf(body, neededText(body, 'Name', 100), { before, others: company.shelves.Account }),
    type,
    subType: detail ?? usual,
    classification,
    number: textIn(body, 'AcctNum', 7),
    description: textIn(body, 'Description', 100),
    currency,
    balance: before?.balance ?? ZERO,
    parent,
  };
}
