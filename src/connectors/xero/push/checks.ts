import { type z } from 'zod';

import type { Path } from '../../../errors.js';

/** Checks of items that need more than one field. */

type Item = Readonly<Record<string, unknown>>;

/** Reports a field that is missing; the words complete "It is needed". */
type Missing = (path: Path, words: string) => void;
/** Reports a field that is not as it must be; the words complete "It". */
type Wrong = (path: Path, words: string) => void;

/** Adds a check to what an item may hold. */
export function checked<Input extends z.ZodObject>(
  input: Input,
  check: (item: z.output<Input>, report: { readonly missing: Missing; readonly wrong: Wrong }) => void,
): Input {
  return input.superRefine((item, context) => {
    check(item, {
      missing: (path, words) =>
        context.addIssue({
          code: 'custom',
          path: [...path],
          message: `is needed${words}`,
          params: { missing: true },
        }),
      wrong: (path, message) => context.addIssue({ code: 'custom', path: [...path], message }),
    });
  });
}

/** Two of our fields that are one text to Xero. */
export function oneText(item: Item, [first, second]: readonly [string, string], wrong: Wrong): void {
  const [one, other] = [item[first], item[second]];
  if (one === undefined || other === undefined || one === other) return;
  wrong([second], `must be the same as the ${first.replace(/[_.]/g, ' ')}: Xero keeps one text for both`);
}
