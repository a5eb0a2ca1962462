import { isLosslessNumber } from 'lossless-json';
import type { z } from 'zod';

import { type NamedRecord, nullFieldsIn, unknownFieldsIn } from '../../connectors/inputs/schema.js';
import { recordsNamed, type WriteForm, type WriteOperation } from '../../connectors/push.js';
import type { Path, WriteProblem, WriteWarning } from '../../errors.js';
import { fromWirePath } from '../../base/names.js';

/** The form that an item is checked against. */
export type ItemForm = Pick<WriteForm, 'input' | 'names' | 'warnings'>;

/** An item that the platform may accept, or the reason why it certainly will not. */
export interface CheckedItem {
  /** Null where there is a problem. */
  readonly value: Readonly<Record<string, unknown>> | null;
  readonly problem: WriteProblem | null;
  readonly warnings: readonly WriteWarning[];
  /** The records that it names. */
  readonly named: readonly NamedRecord[];
}

/** Checks an item for values that the platform would certainly refuse. */
export function checkItem(form: ItemForm, item: unknown, operation: WriteOperation = 'CREATE'): CheckedItem {
  const parsed = form.input.safeParse(withTextNumbers(item));
  if (!parsed.success) {
    return { value: null, problem: problemOf(parsed.error.issues, item), warnings: [], named: [] };
  }
  const unknown = unknownFieldsIn(form.input, item).map(({ name, path }) => ({
    words: `${name} is not written: it is not a field of these items`,
    path,
  }));
  const nulls = operation === 'UPDATE' ? nullFieldsIn(form.input, item) : [];
  const unchanged = nulls.map((path) => ({ words: 'null is not written: the field stays unchanged', path }));
  const warnings = [...unknown, ...unchanged, ...(form.warnings?.(parsed.data) ?? [])];
  return { value: parsed.data, problem: null, warnings, named: recordsNamed(form, parsed.data) };
}

/** Numbers that do not fit a double become their digits; the platform's own fields stay as they are. */
function withTextNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) return value.value;
  if (Array.isArray(value)) return value.map(withTextNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'raw_data' ? inner : withTextNumbers(inner),
    ]),
  );
}

/** The first problem; missing fields before invalid ones. */
function problemOf(issues: readonly z.core.$ZodIssue[], item: unknown): WriteProblem {
  const missing = issues.find((issue) => isMissing(issue, item));
  const issue = missing ?? issues[0];
  const path = fromWirePath((issue?.path ?? []) as Path);
  const platformError = null;
  if (path.length === 0) {
    return { code: 'invalid-params', words: 'An item must be an object', path: ['data'], platformError };
  }
  const words = missing && !isCustom(missing) ? 'The platform needs it' : (issue?.message ?? '');
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return missing
    ? { code: 'missing-params', words: text, path, platformError }
    : { code: 'invalid-params', words: `It ${words}`, path, platformError };
}

const isCustom = (issue: z.core.$ZodIssue): boolean => issue.code === 'custom';

function isMissing(issue: z.core.$ZodIssue, item: unknown): boolean {
  if (isCustom(issue)) return (issue as { params?: { missing?: boolean } }).params?.missing === true;
  let value: unknown = item;
  for (const part of issue.path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value === undefined || value === null;
}
