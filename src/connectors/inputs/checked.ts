import { type z } from 'zod';

import type { Path } from '../../errors.js';

/** Reports a missing field; the words are appended to "it is required". */
export type Missing = (path: Path, words: string) => void;
/** Reports an invalid field; the words complete "It". */
export type Wrong = (path: Path, words: string) => void;

/** Adds a check across several fields to an input schema. */
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
          message: `it is required${words}`,
          params: { missing: true },
        }),
      wrong: (path, message) => context.addIssue({ code: 'custom', path: [...path], message }),
    });
  });
}

/** Requires two fields that the platform stores as one text to be equal. */
export function oneText(
  item: Readonly<Record<string, unknown>>,
  [first, second]: readonly [string, string],
  { title, wrong }: { readonly title: string; readonly wrong: Wrong },
): void {
  const [one, other] = [item[first], item[second]];
  if (one === undefined || other === undefined || one === other) return;
  const words = `must be the same as the ${first.replace(/[_.]/g, ' ')}: ${title} stores a single text for both`;
  wrong([second], words);
}
