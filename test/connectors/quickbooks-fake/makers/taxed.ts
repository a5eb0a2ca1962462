import { Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import {
  type AccountLine,
  type Currency,
  type ItemLine,
  type Line,
  SALES,
  type TaxCode,
  type TaxMode,
  type TaxPart,
  type TaxSum,
  type TradeDocument,
  type TradeEntity,
} from '../domain.js';
import { sumOf, tradedLines } from '../totals.js';
import { nth } from './kept.js';
import { rounded } from './lines.js';
import { codeOf } from './taxes.js';

export type Taxed = Pick<TradeDocument, 'lines' | 'tax' | 'taxCode' | 'taxMode'>;

interface Untaxed {
  readonly entity: TradeEntity;
  readonly index: number;
  readonly lines: readonly Line[];
  readonly currency: Currency;
}

const MODES: readonly TaxMode[] = ['TaxExcluded', 'TaxInclusive', 'NotApplicable'];

/** A document's lines with what its company's country has of taxes. */
export function taxed(company: QuickbooksCompany, untaxed: Untaxed): Taxed {
  return company.edition === 'US' ? salesTaxed(company, untaxed) : globallyTaxed(untaxed);
}

/** Sales alone are taxed, as a whole: one sum for each rate of the code of the document. */
function salesTaxed(company: QuickbooksCompany, { entity, index, lines, currency }: Untaxed): Taxed {
  const amount = sumOf(
    tradedLines(lines)
      .filter(({ taxCode }) => taxCode?.id === 'TAX')
      .map((line) => line.amount),
  );
  const none = { lines, tax: [], taxCode: null, taxMode: null };
  if (amount.isZero() || !SALES.includes(entity)) return none;
  const taxCode = codeOf(company, index % 4 === 0 ? '3' : '2');
  return { ...none, tax: sumsOf(taxCode.sales, amount, currency), taxCode };
}

const sumsOf = (parts: readonly TaxPart[], amount: Decimal, currency: Currency): readonly TaxSum[] =>
  parts.map(({ rate }) => ({
    rate,
    taxed: amount,
    amount: rounded(amount.times(rate.rate).dividedBy(100), currency),
  }));

/** Every line has its code, or none has; amounts are with the tax or without it. */
function globallyTaxed({ entity, index, lines, currency }: Untaxed): Taxed {
  const taxMode = nth(MODES, Math.floor(index / 6));
  const partsOf = (code: TaxCode | null) => (SALES.includes(entity) ? code?.sales : code?.purchases) ?? [];
  const own = (line: ItemLine): ItemLine => ({ ...line, ...codedLine(line) });
  const codedLine = ({ amount, taxCode }: ItemLine | AccountLine) => {
    if (taxMode === 'NotApplicable') return { taxCode: null, gross: null };
    const rate = sumOf(partsOf(taxCode).map((part) => part.rate.rate));
    const gross = amount.plus(rounded(amount.times(rate).dividedBy(100), currency));
    return { taxCode, gross: taxMode === 'TaxInclusive' ? gross : null };
  };
  const coded = lines.map((line): Line => {
    if (line.kind === 'group') return { ...line, lines: line.lines.map(own) };
    if (line.kind === 'item') return own(line);
    return line.kind === 'account' ? { ...line, ...codedLine(line) } : line;
  });
  return { lines: coded, tax: globalSums(coded, partsOf, currency), taxCode: null, taxMode };
}

/** The first rate of a code has what rounding leaves. */
function globalSums(
  lines: readonly Line[],
  partsOf: (code: TaxCode | null) => readonly TaxPart[],
  currency: Currency,
): readonly TaxSum[] {
  const sums = new Map<string, TaxSum>();
  for (const { taxCode, amount, gross } of tradedLines(lines)) {
    const parts = partsOf(taxCode);
    const shares = sumsOf(parts, amount, currency);
    const all = gross ? gross.minus(amount) : sumOf(shares.map((share) => share.amount));
    const rest = all.minus(sumOf(shares.map((share) => share.amount)));
    for (const [at, share] of shares.entries()) {
      const known = sums.get(share.rate.id);
      sums.set(share.rate.id, {
        rate: share.rate,
        taxed: (known?.taxed ?? new Decimal(0)).plus(amount),
        amount: (known?.amount ?? new Decimal(0)).plus(share.amount).plus(at === 0 ? rest : 0),
      });
    }
  }
  return [...sums.values()];
}
