import type { Path, WriteProblem } from '../../../errors.js';
import { fromWirePath } from '../../../base/names.js';
import { excerptOf } from '../../client/platform-errors.js';
import { deniedBy } from '../../denied.js';
import { type PlatformObject } from '../../platform.js';
import { type RefusedWrite } from '../../push.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { QUICKBOOKS_TITLE } from '../client.js';

/** Customers and vendors, where one is not there: `Names element id 58 not found`. */
export const CONTACT_ABSENT = /\bnames element\b/i;

/** Item fields by patterns of what QuickBooks calls them, the most specific first. */
export type Subjects = readonly (readonly [RegExp, string])[];

/** Codes of QuickBooks' errors with a meaning of their own. */
const STALE = 5010;
const MISSING: readonly number[] = [2020];
const TAKEN: readonly number[] = [6140, 6240];
/**
 * Something is not there, or not in use (610), the subscription has ended (6190), the books are closed (6200, 6210), or
 * what is deposited or linked cannot be changed (6480, 6540).
 */
const DENIED: readonly number[] = [610, 6190, 6200, 6210, 6480, 6540];
/** The name or the number of something is wrong, or what it refers to. */
const INVALID: readonly number[] = [2010, 2030, 2040, 2050, 2060, 2090, 2170, 2210, 2500, 6000, 6070];

/** A missing right of the user, or an operation that there is not. */
const DENYING: readonly number[] = [403, 404, 405];
const MAX_TEXT_LENGTH = 2000;

/** Why QuickBooks refused a write. Of several errors the first counts; all are the platform's error. */
export function refusalOf({ status, body, text }: RefusedWrite, subjects: Subjects): WriteProblem {
  const fault = objectOf(body?.['Fault']) ?? objectOf(body?.['fault']);
  const errors = objectsIn(fault?.['Error'] ?? fault?.['error']).map(errorOf);
  const [first] = errors;
  if (!first) {
    const start = DENYING.includes(status) ? 'operation-denied' : 'platform-denied';
    return denied(start, excerptOf(text), [], text.slice(0, MAX_TEXT_LENGTH));
  }
  const platformError = [...new Set(errors.map((error) => `${error.words} (${error.code})`))]
    .join('; ')
    .slice(0, MAX_TEXT_LENGTH);
  return problemOf(first, subjectOf(first, subjects), { status, platformError });
}

interface QuickBooksError {
  readonly code: number;
  readonly words: string;
  /** QuickBooks' name of the field; often empty. */
  readonly element: string;
}

function errorOf(error: PlatformObject): QuickBooksError {
  const parts = [error['Message'] ?? error['message'], error['Detail'] ?? error['detail']].map(textOf);
  const [message = null, detail = null] = parts;
  const isRepeated = message !== null && detail?.startsWith(message);
  const said = (isRepeated ? [detail] : parts).filter((part) => part !== null);
  return {
    code: Number(textOf(error['code']) ?? decimalOf(error['code'])),
    words: said.length > 0 ? said.join(': ') : 'a fault without words',
    element: textOf(error['element']) ?? '',
  };
}

/** Words that name no field: that anything is not there or not in use, or that the books are closed. */
const ANYTHING = /made inactive|account(ing)? period/i;

/** Before the name of a property that is none: it is not about a name. */
const PROPERTY = /property name:/gi;

/** QuickBooks does not tell the number of a line. */
function subjectOf({ element, words }: QuickBooksError, subjects: Subjects): Path {
  const told = [element, ANYTHING.test(words) ? '' : words.replaceAll(PROPERTY, '')].filter(
    (one) => one !== '',
  );
  const [field] = told.flatMap((one) => subjects.find(([pattern]) => pattern.test(one))?.[1] ?? []);
  return field === undefined ? [] : fromWirePath(field.split('.'));
}

function problemOf(
  { code, words }: QuickBooksError,
  path: Path,
  { status, platformError }: { readonly status: number; readonly platformError: string },
): WriteProblem {
  if (code === STALE) return { code: 'conflict', words, path: [], platformError };
  if (DENIED.includes(code) || DENYING.includes(status))
    return denied('operation-denied', words, path, platformError);
  if (path.length === 0) return denied('platform-denied', words, [], platformError);
  if (TAKEN.includes(code)) return { code: 'record-already-exists', words, path, platformError };
  if (MISSING.includes(code)) return { code: 'missing-params', words, path, platformError };
  if (INVALID.includes(code)) return { code: 'invalid-params', words, path, platformError };
  return denied('platform-denied', words, path, platformError);
}

const denied = deniedBy(QUICKBOOKS_TITLE);
