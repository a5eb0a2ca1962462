import { type WriteWarning } from '../../../errors.js';
import { fromWirePath } from '../../../base/names.js';
import { account } from '../../../records/index.js';
import { checked } from '../../inputs/checked.js';
import { choice, itemOf, name, text } from '../../inputs/fields.js';
import { accountShape } from '../../inputs/masters.js';
import { bodyOf, writeForm } from '../../push.js';
import { textOf } from '../../values/platform-values.js';
import { listOfNames } from '../kinds.js';
import { CATEGORIES, categoryOfDetail } from './detail-types.js';
import { createIn, ownFields, quickbooksPush } from './resource.js';
import { listName, refTo } from './values.js';

/** The type of a new account that has only a category. */
const TYPES = {
  ASSET: 'Other Current Asset',
  BANK: 'Bank',
  EQUITY: 'Equity',
  EXPENSE: 'Expense',
  INCOME: 'Income',
  LIABILITY: 'Other Current Liability',
} as const;

const accounts = checked(
  itemOf(
    {
      platform_id: accountShape.platform_id,
      name: listName(100),
      description: text(100),
      nominal_code: name(20),
      category: choice(CATEGORIES),
      sub_category: name(100),
      status: choice(['ACTIVE']),
      currency_id: accountShape.currency_id,
      parent_account_id: accountShape.parent_account_id,
      raw_data: ownFields(),
    },
    ['name'],
  ),
  ({ category, sub_category, raw_data }, { missing, wrong }) => {
    const isTyped = category ?? sub_category ?? raw_data?.['AccountType'];
    if (isTyped === undefined) missing(['category'], ' unless there is a sub-category');
    const own = sub_category === undefined ? null : categoryOfDetail(sub_category);
    if (category !== undefined && own !== null && own !== category)
      wrong(['sub_category'], `must belong to the category ${category}: ${sub_category} belongs to ${own}`);
  },
);

/**
 * The sub-category is a detail type of QuickBooks, each of which belongs to one type. Of a detail type that only
 * QuickBooks knows, the category may be another.
 */
function unwritten({ category, sub_category }: Readonly<Record<string, unknown>>): WriteWarning[] {
  const detailType = textOf(sub_category);
  if (category === undefined || detailType === null || categoryOfDetail(detailType) !== null) return [];
  const words = 'is not written: QuickBooks takes it from the sub-category';
  return [{ words, path: fromWirePath(['category']) }];
}

/** Accounts can only be created: a change of one is no write of ours. */
export const accountPush = quickbooksPush({
  definition: account,
  kinds: [listOfNames('Account')],
  create: {
    ...writeForm(accounts, (item) =>
      createIn(
        'Account',
        bodyOf(item.raw_data, {
          Name: item.name,
          Description: item.description,
          AcctNum: item.nominal_code,
          AccountType: item.sub_category === undefined && item.category ? TYPES[item.category] : undefined,
          AccountSubType: item.sub_category,
          CurrencyRef: refTo(item.currency_id),
          ParentRef: refTo(item.parent_account_id),
          SubAccount: item.parent_account_id === undefined ? undefined : true,
        }),
      ),
    ),
    warnings: unwritten,
  },
  subjects: [
    [/acct ?num|account ?number|\bnumber\b/i, 'nominal_code'],
    [/parent|sub-?account/i, 'parent_account_id'],
    [/sub ?type|detail type|account ?type/i, 'sub_category'],
    [/currency/i, 'currency_id'],
    [/description/i, 'description'],
    [/name/i, 'name'],
  ],
});
