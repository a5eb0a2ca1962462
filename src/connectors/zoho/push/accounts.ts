import { account } from '../../../records/index.js';
import { checked } from '../../inputs/checked.js';
import { choice, itemOf, name, text } from '../../inputs/fields.js';
import { accountShape } from '../../inputs/masters.js';
import { bodyOf, writeForm } from '../../push.js';
import { categoryOf } from '../mappers/account.js';
import { type Searched } from './find.js';
import { createIn, zohoPush } from './resource.js';
import { ownFields } from './values.js';

const ACCOUNTS: Searched = { path: 'chartofaccounts', one: 'chart_of_account', idName: 'account_id' };

/** The type of a new account that has only a category. */
const TYPES = {
  ASSET: 'other_current_asset',
  BANK: 'bank',
  EQUITY: 'equity',
  EXPENSE: 'expense',
  INCOME: 'income',
  LIABILITY: 'other_current_liability',
} as const;

/** Zoho's types, as our records have them. */
const SUB_CATEGORIES = [
  'OTHER_ASSET',
  'OTHER_CURRENT_ASSET',
  'INTANGIBLE_ASSET',
  'RIGHT_TO_USE_ASSET',
  'FINANCIAL_ASSET',
  'CONTINGENT_ASSET',
  'CONTRACT_ASSET',
  'CASH',
  'BANK',
  'FIXED_ASSET',
  'OTHER_CURRENT_LIABILITY',
  'CONTRACT_LIABILITY',
  'REFUND_LIABILITY',
  'CREDIT_CARD',
  'LONG_TERM_LIABILITY',
  'LOANS_AND_BORROWING',
  'LEASE_LIABILITY',
  'EMPLOYEE_BENEFIT_LIABILITY',
  'CONTINGENT_LIABILITY',
  'FINANCIAL_LIABILITY',
  'OTHER_LIABILITY',
  'EQUITY',
  'INCOME',
  'FINANCE_INCOME',
  'OTHER_COMPREHENSIVE_INCOME',
  'OTHER_INCOME',
  'EXPENSE',
  'MANUFACTURING_EXPENSE',
  'IMPAIRMENT_EXPENSE',
  'DEPRECIATION_EXPENSE',
  'EMPLOYEE_BENEFIT_EXPENSE',
  'LEASE_EXPENSE',
  'FINANCE_EXPENSE',
  'TAX_EXPENSE',
  'COST_OF_GOODS_SOLD',
  'OTHER_EXPENSE',
  'ACCOUNTS_RECEIVABLE',
  'ACCOUNTS_PAYABLE',
] as const;

const accounts = checked(
  itemOf(
    {
      platform_id: accountShape.platform_id,
      name: name(),
      description: text(500),
      nominal_code: accountShape.nominal_code,
      category: choice(['ASSET', 'BANK', 'EQUITY', 'EXPENSE', 'INCOME', 'LIABILITY']),
      sub_category: choice(SUB_CATEGORIES),
      status: choice(['ACTIVE']),
      currency_id: accountShape.currency_id,
      parent_account_id: accountShape.parent_account_id,
      raw_data: ownFields('account_id', 'account_type'),
    },
    ['name'],
  ),
  ({ category, sub_category }, { missing, wrong }) => {
    if (sub_category === undefined) {
      if (category === undefined) missing(['category'], ' unless there is a sub-category');
      return;
    }
    const own = categoryOf(sub_category.toLowerCase());
    if (category !== undefined && own !== category)
      wrong(['sub_category'], `must belong to the category ${category}: ${sub_category} belongs to ${own}`);
  },
);

/** Accounts can only be created. No field is both free for us to set and searchable. */
export const accountPush = zohoPush({
  definition: account,
  list: ACCOUNTS,
  names: ['account'],
  create: writeForm(accounts, (item) =>
    createIn(
      ACCOUNTS,
      bodyOf(item.raw_data, {
        account_name: item.name,
        description: item.description,
        account_code: item.nominal_code,
        account_type: item.sub_category?.toLowerCase() ?? (item.category && TYPES[item.category]),
        currency_id: item.currency_id,
        parent_account_id: item.parent_account_id,
      }),
    ),
  ),
  subjects: [
    [/account[_ ]?code|\bcode\b/i, 'nominal_code'],
    [/parent|sub-?account/i, 'parent_account_id'],
    [/account[_ ]?type/i, 'sub_category'],
    [/currency/i, 'currency_id'],
    [/description/i, 'description'],
    [/name|\baccount\b/i, 'name'],
  ],
});
