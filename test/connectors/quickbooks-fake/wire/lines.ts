import { type AccountLine, type ItemLine, type Line, SALES, type TradeDocument } from '../domain.js';
import { subTotalOf } from '../totals.js';
import { type Json, number, optional, optionalRef, ref } from './values.js';

export const isSale = ({ entity }: TradeDocument): boolean => SALES.includes(entity);

/** Sales end with a line for their sum, before which there may be a discount. */
export function linesToWire(document: TradeDocument): readonly Json[] {
  const lines = document.lines.filter(({ kind }) => kind !== 'discount').map(lineOf(isSale(document)));
  if (!isSale(document)) return lines;
  const discounts = document.lines.flatMap((line) =>
    line.kind === 'discount' ? [lineOf(true)(line, 0)] : [],
  );
  const sum = {
    Amount: number(subTotalOf(document)),
    DetailType: 'SubTotalLineDetail',
    SubTotalLineDetail: {},
  };
  return [...lines, ...discounts, sum];
}

const lineOf =
  (ofSale: boolean) =>
  (line: Line, index: number): Json => {
    const LineNum = index + 1;
    switch (line.kind) {
      case 'item':
        return { Id: line.id, LineNum, ...itemLine(line, ofSale) };
      case 'account':
        return { Id: line.id, LineNum, ...accountLine(line) };
      case 'note':
        return {
          Id: line.id,
          LineNum,
          Description: line.description,
          DetailType: 'DescriptionOnly',
          DescriptionLineDetail: {},
        };
      case 'group':
        return {
          Id: line.id,
          LineNum,
          Amount: number(subTotalOf({ lines: line.lines })),
          DetailType: 'GroupLineDetail',
          GroupLineDetail: {
            GroupItemRef: ref(line.item.id, line.item.name),
            Quantity: number(line.quantity),
            Line: line.lines.map((one, at) => ({ Id: one.id, LineNum: at + 1, ...itemLine(one, ofSale) })),
          },
        };
      case 'shipping':
        return {
          Amount: number(line.amount),
          DetailType: 'SalesItemLineDetail',
          SalesItemLineDetail: { ItemRef: ref('SHIPPING_ITEM_ID') },
        };
      case 'discount':
        return {
          Amount: number(line.amount),
          DetailType: 'DiscountLineDetail',
          DiscountLineDetail: {
            PercentBased: line.percent !== null,
            ...optional('DiscountPercent', line.percent && number(line.percent)),
            DiscountAccountRef: ref(line.account.id, line.account.name),
          },
        };
      default:
        return line satisfies never;
    }
  };

function itemLine(line: ItemLine, ofSale: boolean): Json {
  const DetailType = ofSale ? 'SalesItemLineDetail' : 'ItemBasedExpenseLineDetail';
  return {
    ...optional('Description', line.description),
    Amount: number(line.amount),
    DetailType,
    [DetailType]: {
      ...(ofSale ? {} : { BillableStatus: 'NotBillable' }),
      ItemRef: ref(line.item.id, line.item.name),
      ...optionalRef('ClassRef', line.class),
      ...optional('UnitPrice', line.unitPrice && number(line.unitPrice)),
      ...optional('Qty', line.quantity && number(line.quantity)),
      ...(ofSale ? optionalRef('ItemAccountRef', line.account) : {}),
      ...taxOf(line),
    },
  };
}

const accountLine = (line: AccountLine): Json => ({
  ...optional('Description', line.description),
  Amount: number(line.amount),
  DetailType: 'AccountBasedExpenseLineDetail',
  AccountBasedExpenseLineDetail: {
    AccountRef: ref(line.account.id, line.account.name),
    BillableStatus: 'NotBillable',
    ...optionalRef('ClassRef', line.class),
    ...taxOf(line),
  },
});

const taxOf = ({ taxCode, gross }: ItemLine | AccountLine): Json => ({
  ...optional('TaxCodeRef', taxCode && ref(taxCode.id)),
  ...optional('TaxInclusiveAmt', gross && number(gross)),
});
