import type { z } from 'zod';
import { Failure, type Problem } from '../failure.js';

/** Parses a body with `schema`; throws `invalid` with all problems. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  at = '',
): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue): Problem[] => {
    const path = [...(at === '' ? [] : [at]), ...issue.path.map(String)];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const field = [...path, key].join('.');
        return { field, code: 'UnknownField', message: `there is no field ${field}` };
      });
    }
    const field = path.join('.');
    const isMissing = issue.code === 'invalid_type' && issue.message.includes('received undefined');
    const message = isMissing ? `${field} is required` : `${field}: ${issue.message}`;
    return [{ field, code: isMissing ? 'Required' : 'Invalid', message }];
  });
  throw new Failure('invalid', `${problems.length} problems`, { problems });
}
