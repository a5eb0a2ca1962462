import { type Line, type Tag, type TradeDocument } from '../domain.js';
import { number, optional } from './values.js';

export interface LineView {
  /** What the call asks for as `unitdp`. */
  readonly priceDigits: number;
}

export function lineToWire(line: Line, document: TradeDocument, view: LineView): object {
  const { item, account, discount, net, tax } = line;
  const isInclusive = document.amountTypes === 'Inclusive';
  // Orders name accounts and items by code alone.
  const hasIds = document.type !== 'PURCHASEORDER';
  return {
    ...(item && { ItemCode: item.code }),
    Description: line.description,
    UnitAmount: number(line.unitPrice.toDecimalPlaces(view.priceDigits)),
    TaxType: line.taxRate.id,
    TaxAmount: number(tax),
    LineAmount: number(isInclusive ? net.plus(tax) : net),
    ...optional('AccountCode', account.code),
    ...(hasIds && { AccountID: account.id }),
    ...(hasIds && item && { Item: { ItemID: item.id, Name: item.name, Code: item.code } }),
    Tracking: line.tags.map(tagToWire),
    Quantity: number(line.quantity),
    ...(discount && 'rate' in discount && { DiscountRate: number(discount.rate) }),
    ...(discount && 'amount' in discount && { DiscountAmount: number(discount.amount) }),
    LineItemID: line.id,
    ValidationErrors: [],
  };
}

export function tagToWire({ category, option }: Tag): object {
  return {
    Name: category.name,
    Option: option.name,
    TrackingCategoryID: category.id,
    TrackingOptionID: option.id,
  };
}
