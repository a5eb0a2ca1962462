import { type QuickbooksCompany } from '../company.js';
import {
  type Currency,
  type Line,
  SALES,
  type TaxCode,
  type TaxMode,
  type TaxPart,
  type TaxSum,
  type TradeEntity,
} from '../domain.js';
import { rounded } from '../makers/lines.js';
import { type Taxed } from '../makers/taxed.js';
import { business, Refusal } from '../problems.js';
import { sumOf, tradedLines } from '../totals.js';
import { type Body, objectIn, textIn } from './body.js';
import { namedBy } from './find.js';

interface Untaxed {
  readonly entity: TradeEntity;
  readonly lines: readonly Line[];
  readonly currency: Currency;
  readonly body: Body;
}

/** Taxes are computed by QuickBooks. */
export const taxedOf = (company: QuickbooksCompany, untaxed: Untaxed): Taxed =>
  company.edition === 'US' ? salesTax(company, untaxed) : globalTax(untaxed);

/** In the United States, lines of sales say whether they are taxed, and the document by which code. */
function salesTax({ shelves }: QuickbooksCompany, { entity, lines, currency, body }: Untaxed): Taxed {
  const none = { lines, tax: [], taxCode: null, taxMode: null };
  if (!SALES.includes(entity)) return none;
  const traded = tradedLines(lines);
  if (traded.some(({ taxCode }) => taxCode && !taxCode.isPseudo)) {
    throw new Refusal(business('Invalid tax code: a line is taxed by TAX or NON.'));
  }
  const taxCode = namedBy(shelves.TaxCode, objectIn(body, 'TxnTaxDetail') ?? {}, 'TxnTaxCodeRef');
  const taxable = traded.filter((line) => line.taxCode?.id === 'TAX');
  if (!taxCode || taxable.length === 0) return none;
  return { ...none, taxCode, tax: sums(taxCode.sales, sumOf(taxable.map(({ amount }) => amount)), currency) };
}

const sums = (parts: readonly TaxPart[], taxed: TaxSum['taxed'], currency: Currency): readonly TaxSum[] =>
  parts.map(({ rate }) => ({
    rate,
    taxed,
    amount: rounded(taxed.times(rate.rate).dividedBy(100), currency),
  }));

/** Elsewhere, every line of a document that is not without taxes has its code. */
function globalTax({ entity, lines, currency, body }: Untaxed): Taxed {
  const taxMode = (textIn(body, 'GlobalTaxCalculation') ?? 'TaxExcluded') as TaxMode;
  const traded = tradedLines(lines);
  if (taxMode === 'NotApplicable') return { lines, tax: [], taxCode: null, taxMode };
  if (traded.some(({ taxCode }) => taxCode === null)) {
    throw new Refusal(business('Make sure all your transactions have a VAT rate before you save.'));
  }
  const codes = [...new Set(traded.flatMap(({ taxCode }) => taxCode ?? []))];
  const partsOf = (code: TaxCode) => (SALES.includes(entity) ? code.sales : code.purchases);
  const tax = codes.flatMap((code) => {
    const ofCode = traded.filter((line) => line.taxCode === code);
    return sums(partsOf(code), sumOf(ofCode.map(({ amount }) => amount)), currency);
  });
  return { lines, tax, taxCode: null, taxMode };
}
