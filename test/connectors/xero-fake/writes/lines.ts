import { Decimal } from 'decimal.js';

import { type Account, type Line, type TradeDocument } from '../domain.js';
import { guidOf } from '../makers/kept.js';
import { withTax } from '../makers/lines.js';
import { accountBy, LINE_NAMES, tagsOf } from './find.js';
import { type Body, numberIn, textIn } from './input.js';
import { type Write } from './write.js';

interface LineOptions {
  readonly isSale: boolean;
  readonly hasDiscounts: boolean;
  readonly amountTypes: TradeDocument['amountTypes'];
}

export function linesOf(write: Write, inputs: readonly Body[], options: LineOptions): Line[] {
  const id = write.kept('').id;
  return inputs.flatMap(
    (input, index) => lineOf(write, input, { ...options, id: guidOf(`${id} ${index}`), index }) ?? [],
  );
}

function lineOf(
  write: Write,
  input: Body,
  {
    id,
    index,
    isSale,
    hasDiscounts,
    amountTypes,
  }: LineOptions & { readonly id: string; readonly index: number },
): Line | null {
  const { organisation, complaints, priceDigits } = write;
  const complain = (message: string) => complaints.addToLine(index, message);
  const itemCode = textIn(input, 'ItemCode');
  const item = organisation.items.find(({ code }) => code === itemCode) ?? null;
  if (itemCode !== undefined && !item) complain(`Item code '${itemCode}' is not valid`);
  const price = item && (isSale ? item.sale : item.purchase);
  const account = accountBy(organisation, input, LINE_NAMES) ?? price?.account ?? null;
  const code = textIn(input, 'AccountCode');
  if (!account)
    complain(
      code === undefined
        ? 'Account must be specified'
        : `Account code '${code}' is not a valid code for this document.`,
    );
  const description = textIn(input, 'Description') ?? item?.description ?? '';
  if (description === '') complain('Description must be specified');
  const taxType = textIn(input, 'TaxType') ?? price?.taxRate?.id ?? defaultTax(account);
  const taxRate = organisation.taxRates.find((one) => one.id === taxType);
  if (!taxRate)
    complain(`The TaxType code '${taxType}' does not exist or cannot be used for this type of transaction.`);
  const quantity = numberIn(input, 'Quantity') ?? new Decimal(1);
  const unitPrice = (numberIn(input, 'UnitAmount') ?? price?.unitPrice ?? new Decimal(0)).toDecimalPlaces(
    priceDigits,
  );
  const amount = numberIn(input, 'DiscountAmount');
  if (amount && !hasDiscounts) complain('Discounts are only supported on accounts receivable invoices');
  const full = quantity
    .times(unitPrice)
    .minus(amount ?? 0)
    .toDecimalPlaces(2);
  const tags = tagsOf(organisation, input, complain);
  if (!account || !taxRate) return null;
  return {
    id,
    description,
    quantity,
    unitPrice,
    item,
    account,
    taxRate,
    discount: amount ? { amount } : null,
    ...withTax(full, new Decimal(taxRate.rate), amountTypes),
    tags,
  };
}

function defaultTax(account: Account | null): string {
  if (account?.accountClass === 'REVENUE') return 'OUTPUT2';
  return account?.accountClass === 'EXPENSE' ? 'INPUT2' : 'NONE';
}
