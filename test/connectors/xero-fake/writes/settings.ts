import { Decimal } from 'decimal.js';

import { type TaxRate, type TrackingCategory, type TrackingOption } from '../domain.js';
import { flagIn, listIn, numberIn, textIn } from './input.js';
import { type Write } from './write.js';

export function createTaxRate({ organisation: { taxRates }, body, complaints, kept }: Write): TaxRate | null {
  const name = textIn(body, 'Name');
  const reportType = textIn(body, 'ReportTaxType') ?? 'OUTPUT';
  const parts = listIn(body, 'TaxComponents') ?? [];
  if (name === undefined) complaints.add('Name is required');
  if (taxRates.some((one) => one.name === name)) complaints.add('Please enter a unique Name.');
  if (parts.length === 0) complaints.add('Tax components must be specified');
  if (!/^[A-Z0-9]+$/.test(reportType)) complaints.add(`The report tax type ${reportType} is not valid`);
  const components = parts.map((part) => ({
    name: textIn(part, 'Name') ?? '',
    rate: (numberIn(part, 'Rate') ?? new Decimal(0)).toFixed(),
    isCompound: flagIn(part, 'IsCompound') ?? false,
  }));
  if (components.filter(({ isCompound }) => isCompound).length > 1) {
    complaints.add('Only one compound component is allowed');
  }
  if (!complaints.isEmpty || name === undefined) return null;
  const simple = components.filter(({ isCompound }) => !isCompound);
  const total = Decimal.sum(0, ...components.map(({ rate }) => rate));
  const before = Decimal.sum(0, ...simple.map(({ rate }) => rate));
  const compound = components.find(({ isCompound }) => isCompound)?.rate ?? 0;
  const rate: TaxRate = {
    ...kept('ACTIVE'),
    id: `TAX${String(taxRates.length).padStart(3, '0')}`,
    name,
    reportType,
    rate: total.toFixed(),
    effectiveRate: before.plus(before.div(100).plus(1).times(compound)).toDecimalPlaces(4).toFixed(),
    components,
  };
  taxRates.push(rate);
  return rate;
}

export function createTrackingCategory({
  organisation: { trackingCategories },
  body,
  complaints,
  kept,
}: Write): TrackingCategory | null {
  const name = textIn(body, 'Name');
  if (name === undefined) complaints.add('Name is required');
  if (trackingCategories.some((one) => one.name === name)) complaints.add('Please enter a unique Name.');
  if (!complaints.isEmpty || name === undefined) return null;
  const category: TrackingCategory = { ...kept('ACTIVE'), name, options: [] };
  trackingCategories.push(category);
  return category;
}

/** Undefined where there is no such category. */
export function createTrackingOption(
  { organisation: { trackingCategories }, body, complaints, kept }: Write,
  categoryId: string,
): TrackingOption | null | undefined {
  const category = trackingCategories.find(({ id }) => id === categoryId);
  if (!category) return undefined;
  const name = textIn(body, 'Name');
  if (name === undefined) complaints.add('Name is required');
  if (category.options.some((one) => one.name === name)) complaints.add('Please enter a unique Name.');
  if (!complaints.isEmpty || name === undefined) return null;
  const option: TrackingOption = { ...kept('ACTIVE'), name };
  category.options.push(option);
  return option;
}
