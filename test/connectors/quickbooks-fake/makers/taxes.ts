import { Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import { type Named, type TaxCode, type TaxPart, type TaxRate } from '../domain.js';
import { imported, kept, nth } from './kept.js';

const AGENCIES = [
  'Arizona Dept. of Revenue',
  'Board of Equalization',
  'Canada Revenue Agency',
  'HM Revenue & Customs',
];

const RATES = [
  ['AZ State tax', '7.1', '1'],
  ['Tucson City', '2', '1'],
  ['California', '8', '2'],
  ['GST', '5', '3'],
  ['QST on GST', '9.975', '3'],
  ['GST (purchases)', '5', '3'],
  ['VAT 20%', '20', '4'],
  ['VAT 0%', '0', '4'],
] as const;

/** What a line says: in the United States whether it is taxed, elsewhere by which code. */
export function lineCode(company: QuickbooksCompany, isTaxed: boolean): TaxCode {
  const [taxed, untaxed] = company.edition === 'US' ? (['TAX', 'NON'] as const) : (['7', '8'] as const);
  return codeOf(company, isTaxed ? taxed : untaxed);
}

/** Sales tax of the United States, where lines say `TAX` or `NON`, and codes as other countries have them. */
export function makeTaxes({ shelves, edition }: QuickbooksCompany): void {
  shelves.TaxAgency.push(
    ...AGENCIES.map((name, index): Named => ({ ...kept(String(index + 1), index), name, active: true })),
  );
  const rates = RATES.map(([name, rate, agencyId], index): TaxRate => {
    const agency = nth(shelves.TaxAgency, Number(agencyId) - 1);
    return { ...kept(String(index + 1), index), name, active: true, rate: new Decimal(rate), agency };
  });
  shelves.TaxRate.push(...rates);
  const part = (name: string, applies: TaxPart['applies'] = 'TaxOnAmount'): TaxPart => {
    const rate = rates.find((one) => one.name === name);
    if (!rate) throw new Error(`there is no rate ${name}`);
    return { rate, applies };
  };
  const add = (id: string, name: string, own: Partial<TaxCode>) => {
    const index = shelves.TaxCode.length;
    shelves.TaxCode.push({
      ...(own.isPseudo ? imported(id) : kept(id, index)),
      name,
      active: true,
      description: name,
      taxable: true,
      isPseudo: false,
      sales: [],
      purchases: [],
      ...own,
    });
  };
  if (edition === 'GB') {
    add('7', '20.0% S', { sales: [part('VAT 20%')], purchases: [part('VAT 20%')] });
    add('8', '0.0% Z', { sales: [part('VAT 0%')], purchases: [part('VAT 0%')] });
  } else {
    add('TAX', 'TAX', { isPseudo: true });
    add('NON', 'NON', { isPseudo: true, taxable: false });
  }
  add('2', 'California', { sales: [part('California')] });
  add('3', 'Tucson', {
    description: 'Arizona and Tucson',
    sales: [part('AZ State tax'), part('Tucson City')],
  });
  add('4', 'GST/QST', {
    sales: [part('GST'), part('QST on GST', 'TaxOnAmountPlusTax')],
    purchases: [part('GST (purchases)')],
  });
  add('5', 'GST on purchases', { purchases: [part('GST (purchases)')] });
  add('6', 'Old rate (deleted)', { active: false, sales: [part('Tucson City')] });
}

export function codeOf({ shelves }: QuickbooksCompany, id: string): TaxCode {
  const found = shelves.TaxCode.find((code) => code.id === id);
  if (!found) throw new Error(`there is no tax code ${id}`);
  return found;
}
