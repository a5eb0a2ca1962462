import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { BooksLine } from '../objects.js';
import { moneyOf } from '../values.js';
import type { Fields } from './fields.js';
import type { References } from './references.js';

/** The side of a product that provides the account of a line without one. */
type ProductSide = 'Selling' | 'Buying';

/** The lines of a document, with the amounts that the platform computes. */
export async function buildLines(
  fields: Fields,
  references: References,
  { currency, side }: { readonly currency: string; readonly side: ProductSide },
): Promise<BooksLine[]> {
  const inputs = fields.require('Lines') ? fields.objects('Lines') : [];
  if (inputs.length === 0 && fields.has('Lines')) fields.invalid('Lines', 'must hold one line or more');
  const lines: BooksLine[] = [];
  for (const input of inputs) {
    lines.push(await buildLine(input, references, { currency, side }));
    input.finish();
  }
  return lines;
}

async function buildLine(
  input: Fields,
  references: References,
  { currency, side }: { readonly currency: string; readonly side: ProductSide },
): Promise<BooksLine> {
  input.ignore('LineTotal', 'Gross');
  const sku = await references.sku(input, 'ProductSku');
  const account =
    (await references.account(input, 'AccountNumber')) ?? (await accountOf(sku, side, references));
  if (account === null && !input.has('AccountNumber')) input.require('AccountNumber');
  const taxCode = await references.taxCode(input, 'TaxCode');
  const quantity = (input.require('Quantity') ? input.decimal('Quantity') : null) ?? new Decimal(0);
  const price = (input.require('UnitPrice') ? input.money('UnitPrice', currency) : null) ?? new Decimal(0);
  const given = input.money('Discount', currency) ?? new Decimal(0);
  const discount = input.isKept('Discount') ? given : given.toDecimalPlaces(2);
  const lineTotal = quantity.times(price).toDecimalPlaces(2);
  if (discount.greaterThan(lineTotal.abs())) input.invalid('Discount', 'must not be more than the line');
  const net = lineTotal.minus(discount);
  const tax = await taxOf(input, references, { taxCode, net, currency });
  return {
    LineGuid: input.text('LineGuid', 100) ?? randomUUID(),
    ProductSku: sku,
    AccountNumber: account,
    TaxCode: taxCode,
    Project: await references.project(input, 'Project'),
    Text: input.text('Text', 4000),
    Quantity: quantity.toFixed(),
    UnitPrice: moneyOf(price, currency),
    LineTotal: moneyOf(lineTotal, currency),
    Discount: moneyOf(discount, currency),
    Tax: moneyOf(tax, currency),
    Gross: moneyOf(net.plus(tax), currency),
    DimensionOptions: await references.options(input, 'DimensionOptions'),
  };
}

async function accountOf(
  sku: string | null,
  side: ProductSide,
  references: References,
): Promise<string | null> {
  const product = sku === null ? null : await references.byNumber('Products', sku);
  return (product?.[side] as { readonly AccountNumber: string | null } | null)?.AccountNumber ?? null;
}

interface Taxed {
  readonly taxCode: string | null;
  readonly net: Decimal;
  readonly currency: string;
}

/** The tax of a line, by the code's current rate. A line that an update keeps has the tax from before. */
async function taxOf(
  input: Fields,
  references: References,
  { taxCode, net, currency }: Taxed,
): Promise<Decimal> {
  if (input.isKept('Tax')) return input.money('Tax', currency) ?? new Decimal(0);
  input.ignore('Tax');
  const tax = taxCode === null ? null : await references.byNumber('TaxCodes', taxCode);
  const percent = tax?.['EffectivePercentage'];
  return net
    .times(typeof percent === 'string' ? percent : 0)
    .div(100)
    .toDecimalPlaces(2);
}
