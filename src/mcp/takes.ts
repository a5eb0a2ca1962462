import { z } from 'zod';

/**
 * What a tool takes, and nothing beside it: an assistant that filters by `svc_company_id` where the tool has `company_id`
 * would otherwise be given the records of all companies.
 */
export const takes = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `There is no ${keys.join(', ')} here: this tool takes ${Object.keys(shape).join(', ')}`
        : undefined,
  });
