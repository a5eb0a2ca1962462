import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { TAX_SIDES } from '../wire/words.js';
import { type Build, identity, numberOf, referenceOf } from './build.js';
import type { Fields } from './fields.js';

export const buildTaxCode: Build = async (options) => {
  const { fields, before } = options;
  const { Guid, ...times } = identity(options);
  fields.ignore('Percentage', 'EffectivePercentage');
  const parts = partsOf(fields, before as { readonly Parts?: readonly Part[] } | null);
  const own = {
    Code: await numberOf(options),
    Title: fields.requiredText('Title', 200),
    AppliesTo: fields.oneOf('AppliesTo', Object.values(TAX_SIDES)) ?? 'both',
    Percentage: parts.reduce((sum, part) => sum.plus(part.Percentage), new Decimal(0)).toFixed(),
    EffectivePercentage: effective(parts).toFixed(),
    Parts: parts,
    Reference: referenceOf(options),
  };
  return { Guid, ...own, ...times };
};

interface Part {
  readonly PartGuid: string;
  readonly Title: string | null;
  readonly Percentage: string;
  readonly Authority: string | null;
  readonly Compound: boolean;
}

/** The parts of a rate. A part keeps its GUID if it stays in the same place. */
function partsOf(fields: Fields, before: { readonly Parts?: readonly Part[] } | null): Part[] {
  fields.require('Parts');
  return fields.objects('Parts').map((part, index) => {
    part.ignore('PartGuid');
    const percentage = part.require('Percentage') ? part.decimal('Percentage') : null;
    if (percentage?.isNegative()) part.invalid('Percentage', 'must not be negative');
    const compound = part.raw('Compound') ?? false;
    if (typeof compound !== 'boolean') part.invalid('Compound', 'must be true or false');
    const result = {
      PartGuid: before?.Parts?.[index]?.PartGuid ?? randomUUID(),
      Title: part.requiredText('Title', 200),
      Percentage: (percentage ?? new Decimal(0)).toFixed(),
      Authority: part.text('Authority', 200),
      Compound: compound === true,
    };
    part.finish();
    return result;
  });
}

/** A compound part is charged on the price plus the parts before it. */
const effective = (parts: readonly Part[]): Decimal =>
  parts.reduce(
    (rate, { Percentage, Compound }) =>
      rate.plus(Compound ? new Decimal(Percentage).times(rate.div(100).plus(1)) : Percentage),
    new Decimal(0),
  );
