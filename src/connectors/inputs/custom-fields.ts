import { z } from 'zod';

import { itemOf, text } from './fields.js';

const field = itemOf({ name: text(200), value: text(1000) }, ['name']).transform(({ name, value }) => ({
  name,
  value: value ?? null,
}));

/** Custom fields by the platform's names. */
export const customFields = () =>
  z.array(field, { error: 'must be a list of custom fields' }).max(100, 'must have at most 100');
