import { type QuickbooksCompany } from '../company.js';
import { type Account, type Item, type ItemType, type Kept } from '../domain.js';
import { business, missing, Refusal } from '../problems.js';
import { type Body, dayIn, flagIn, neededText, numberIn, textIn } from './body.js';
import { namedBy } from './find.js';
import { namedOf } from './names.js';

const WRITTEN: readonly string[] = ['Inventory', 'NonInventory', 'Service'];

export function itemOf(
  { shelves }: QuickbooksCompany,
  body: Body,
  before: Item | null,
): Omit<Item, keyof Kept> {
  const type = neededText(body, 'Type') as ItemType;
  if (!WRITTEN.includes(type)) throw new Refusal(business(`An item of the type ${type} cannot be written.`));
  if (before && before.type !== type) throw new Refusal(business('The type of an item cannot be changed.'));
  const account = (name: string, types: readonly string[]): Account | null => {
    const found = namedBy(shelves.Account, body, name);
    if (found && !types.includes(found.type)) {
      throw new Refusal(business(`Unsupported account type for ${name}: ${found.type}.`));
    }
    return found;
  };
  const income = account('IncomeAccountRef', ['Income', 'Other Income']);
  const expense = account('ExpenseAccountRef', ['Cost of Goods Sold', 'Expense', 'Other Expense']);
  const asset = account('AssetAccountRef', ['Other Current Asset']);
  if (!income && !expense) throw new Refusal(missing('IncomeAccountRef'));
  const inStock = numberIn(body, 'QtyOnHand');
  if (type === 'Inventory') {
    if (!income) throw new Refusal(missing('IncomeAccountRef'));
    if (!expense) throw new Refusal(missing('ExpenseAccountRef'));
    if (!asset) throw new Refusal(missing('AssetAccountRef'));
    if (!inStock) throw new Refusal(missing('QtyOnHand'));
    if (dayIn(body, 'InvStartDate') === null) throw new Refusal(missing('InvStartDate'));
    if (flagIn(body, 'TrackQtyOnHand') !== true) throw new Refusal(missing('TrackQtyOnHand'));
  }
  return {
    ...namedOf(body, neededText(body, 'Name', 100), { before, others: shelves.Item }),
    type,
    sku: textIn(body, 'Sku', 100),
    description: textIn(body, 'Description', 4000),
    purchaseDescription: textIn(body, 'PurchaseDesc', 1000),
    unitPrice: numberIn(body, 'UnitPrice'),
    purchaseCost: numberIn(body, 'PurchaseCost'),
    income,
    expense,
    asset,
    inStock: type === 'Inventory' ? inStock : null,
    category: before?.category ?? null,
    salesTax: namedBy(shelves.TaxCode, body, 'SalesTaxCodeRef'),
    purchaseTax: namedBy(shelves.TaxCode, body, 'PurchaseTaxCodeRef'),
  };
}
