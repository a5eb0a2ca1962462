import { z } from 'zod';

import { RECORD_STATUSES } from '../../records/value-sets.js';
import { sum } from '../values/decimals.js';
import { choice, flag, itemOf, name, positive, rawData, reference, text } from './fields.js';

/** Write items of a company's settings: bank accounts, tax rates, tracking categories (Reference G4). */

const platform_id = text(200);
const raw_data = rawData();

export const bankAccountShape = {
  platform_id,
  institution_name: text(200),
  account_name: name(),
  account_number: text(100),
  currency_id: reference('CURRENCIES'),
  category: text(100),
  raw_data,
};

export const taxComponentShape = {
  name: name(),
  rate: positive(),
  tax_agency: text(200),
  is_compound: flag(),
};

/** The components of a tax rate. */
export function componentsOf<Component extends z.ZodType>(component: Component) {
  return z
    .array(component, { error: 'must be a list of components' })
    .min(1, 'must have at least one')
    .max(20, 'must have at most 20');
}

export const taxRateShape = {
  platform_id,
  name: name(),
  code: text(50),
  tax_type: text(100),
  total_tax_rate: positive(),
  components: componentsOf(itemOf(taxComponentShape, ['name', 'rate'])),
  raw_data,
};

interface Rated {
  readonly name: string;
  readonly total_tax_rate?: string | undefined;
  readonly components?: readonly Component[] | undefined;
}

interface Component {
  readonly name: string;
  readonly rate: string;
  readonly tax_agency?: string | undefined;
  readonly is_compound?: boolean | undefined;
}

/** Requires a total rate or components; with both, the total must be the sum of the components. */
export function rated<Rate extends z.ZodObject>(rate: Rate): Rate {
  return rate.superRefine((item, context) => {
    const { components, total_tax_rate: total } = item as Partial<Rated>;
    if (total === undefined && components === undefined) {
      const message = 'they are required unless there is a total rate';
      context.addIssue({ code: 'custom', path: ['components'], message, params: { missing: true } });
    }
    if (total === undefined || components === undefined) return;
    const added = components.reduce<string | null>((result, one) => sum(result, one.rate), '0');
    if (added === sum(total, '0')) return;
    const message = `must be the sum of the components, ${added}`;
    context.addIssue({ code: 'custom', path: ['total_tax_rate'], message });
  });
}

/** The components of a validated rate; without any, a single one with the rate's own name. */
export const writtenComponents = ({
  name: own,
  total_tax_rate: total,
  components,
}: Rated): readonly Component[] => components ?? [{ name: own, rate: total ?? '0' }];

export const trackingCategoryShape = {
  platform_id,
  name: name(),
  status: choice(RECORD_STATUSES),
  parent_id: reference('TRACKING_CATEGORIES'),
  raw_data,
};
