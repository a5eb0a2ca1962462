import { type taxRate, type taxRateComponent } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { product, sum } from '../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { idOf } from '../query.js';
import { AGENCY, RATES } from '../settings.js';
import { refOf, updatedAtOf } from './values.js';

/** A tax code with the rates of sales; those of purchases where it has none for sales. */
export function toTaxRate(object: PlatformObject): UnifiedRecord<typeof taxRate> {
  const rates = new Map(objectsIn(object[RATES]).map((rate) => [textOf(rate['Id']), rate]));
  const [sales = [], purchases = []] = ['SalesTaxRateList', 'PurchaseTaxRateList'].map((list) =>
    objectsIn(objectOf(object[list])?.['TaxRateDetail']),
  );
  const components = (sales.length > 0 ? sales : purchases).map((detail) =>
    toComponent(detail, rates.get(refOf(detail['TaxRateRef']))),
  );
  const name = textOf(object['Name']);
  return {
    platformId: idOf(object),
    values: {
      name,
      code: name,
      taxType: null,
      effectiveTaxRate: effectiveRate(components),
      totalTaxRate: totalRate(components),
      updatedAt: updatedAtOf(object),
    },
    lines: { components },
  };
}

function toComponent(
  detail: PlatformObject,
  rate: PlatformObject | undefined,
): UnifiedLine<typeof taxRateComponent> {
  return {
    platformId: null,
    values: {
      name: textOf(rate?.['Name']) ?? textOf(objectOf(detail['TaxRateRef'])?.['name']),
      rate: decimalOf(rate?.['RateValue']),
      taxAgency: textOf(rate?.[AGENCY]),
      isCompound: (textOf(detail['TaxTypeApplicable']) ?? 'TaxOnAmount') !== 'TaxOnAmount',
    },
  };
}

type Components = readonly UnifiedLine<typeof taxRateComponent>[];

/** Codes of automated sales tax have no rates: these depend on the place. */
const totalRate = (components: Components): string | null =>
  components.length === 0
    ? null
    : components.reduce<string | null>((total, { values: { rate = null } }) => sum(total, rate), '0');

/** The rate of the amount: a compound one is also on the taxes before it. */
const effectiveRate = (components: Components): string | null =>
  components.length === 0
    ? null
    : components.reduce<string | null>((total, { values: { rate = null, isCompound } }) => {
        const onTaxes = isCompound ? product(total, rate, '0.01') : '0';
        return sum(sum(total, rate), onTaxes);
      }, '0');
