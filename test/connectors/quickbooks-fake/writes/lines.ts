import { type Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import { type AccountLine, type ItemLine, type Line, SALES, type TradeEntity } from '../domain.js';
import { business, invalidReference, missing, Refusal, unreadable, wrongAmount } from '../problems.js';
import { type Body, listIn, neededText, numberIn, objectIn, textIn } from './body.js';
import { namedBy } from './find.js';

/** Lines of the kinds that a document of this entity has; sums of sales are not looked at. */
export function linesIn(company: QuickbooksCompany, entity: TradeEntity, body: Body): readonly Line[] {
  return listIn(body, 'Line')
    .filter(({ DetailType }) => DetailType !== 'SubTotalLineDetail')
    .map((line, index) => lineIn(company, { entity, line, id: String(index + 1) }));
}

interface Place {
  readonly entity: TradeEntity;
  readonly line: Body;
  readonly id: string;
}

function lineIn(company: QuickbooksCompany, { entity, line, id }: Place): Line {
  const isSale = SALES.includes(entity);
  const type = neededText(line, 'DetailType');
  const detail = objectIn(line, type) ?? {};
  const amount = numberIn(line, 'Amount');
  if (!amount) throw new Refusal(missing('Amount'));
  const shared = {
    id,
    description: textIn(line, 'Description', 4000),
    amount,
    gross: null,
    taxCode: namedBy(company.shelves.TaxCode, detail, 'TaxCodeRef', `Line.${type}.`),
    class: namedBy(company.shelves.Class, detail, 'ClassRef', `Line.${type}.`),
  };
  switch (type) {
    case isSale ? 'SalesItemLineDetail' : 'ItemBasedExpenseLineDetail':
      return { ...shared, ...itemPart(company, { detail, type, amount, isSale }) } satisfies ItemLine;
    case isSale ? '' : 'AccountBasedExpenseLineDetail': {
      const account = namedBy(company.shelves.Account, detail, 'AccountRef', `Line.${type}.`);
      if (!account) throw new Refusal(missing('AccountRef'));
      return { ...shared, kind: 'account', account } satisfies AccountLine;
    }
    default:
      throw new Refusal(unreadable(type));
  }
}

interface ItemPart {
  readonly detail: Body;
  readonly type: string;
  readonly amount: Decimal;
  readonly isSale: boolean;
}

function itemPart({ shelves }: QuickbooksCompany, { detail, type, amount, isSale }: ItemPart) {
  const item = namedBy(shelves.Item, detail, 'ItemRef', `Line.${type}.`);
  if (!item) throw new Refusal(invalidReference(`Line.${type}.ItemRef`));
  if (item.type === 'Category') throw new Refusal(business('Categories cannot be used in transactions.'));
  const [quantity, unitPrice] = [numberIn(detail, 'Qty'), numberIn(detail, 'UnitPrice')];
  if (quantity && unitPrice && !quantity.times(unitPrice).toDecimalPlaces(2).equals(amount)) {
    throw new Refusal(wrongAmount(amount.toFixed()));
  }
  return { kind: 'item', item, account: isSale ? item.income : null, quantity, unitPrice } as const;
}
