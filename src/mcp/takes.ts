import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';

/**
 * A tool's parameters; unknown ones are refused: an assistant that filters by `svc_company_id` instead of `company_id`
 * would otherwise get the records of all companies.
 */
export const takes = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `There is no ${keys.join(', ')} here: this tool accepts ${Object.keys(shape).join(', ')}`
        : undefined,
  });

/** A whole number; one of more digits than a number of JavaScript holds is no number to zod, whose message would name a class. */
export const wholeNumber = () =>
  z
    .number({
      error: ({ input }) =>
        isLosslessNumber(input)
          ? `Expected a whole number up to ${Number.MAX_SAFE_INTEGER}, received ${input.value.slice(0, 40)}`
          : undefined,
    })
    .int();
