import type { Path, WriteProblem } from '../../../errors.js';
import { fromWirePath } from '../../../base/names.js';
import { excerptOf } from '../../client/platform-errors.js';
import { deniedBy } from '../../denied.js';
import { type RefusedWrite } from '../../push.js';
import { decimalOf, textOf } from '../../values/platform-values.js';
import { ZOHO_TITLE } from '../client.js';

/** Item fields by patterns of what Zoho calls them, the most specific first. */
export type Subjects = readonly (readonly [RegExp, string])[];

/** A scope of the consent, or a right of the user, is missing. */
const RIGHT = 57;
/** A missing right, or an operation that there is not. An object that is not there is a 404, too. */
const DENYING: readonly number[] = [401, 403, 404, 405];
const MAX_TEXT_LENGTH = 2000;

/** Zoho's codes are many, and few are documented: its words say more. */
const TAKEN = /already (exists|been (used|taken|created))|duplicate/i;
const MISSING =
  /\b(is|are) (required|mandatory|missing)|(can ?not|must not|should not) be (left )?(blank|empty)|^please (enter|select|specify|provide|choose)(?! (a )?(valid|different|another))/i;
const INVALID =
  /invalid|does not exist|not valid|a valid|less than|more than|at most|exceed|characters|not (an )?active|inactive/i;

/** Why Zoho refused a write: by its words, which name a field at most. */
export function refusalOf({ status, body, text }: RefusedWrite, subjects: Subjects): WriteProblem {
  const message = textOf(body?.['message']);
  if (message === null) {
    const code = DENYING.includes(status) ? 'operation-denied' : 'platform-denied';
    return denied(code, excerptOf(text), [], text.slice(0, MAX_TEXT_LENGTH));
  }
  const number = decimalOf(body?.['code']);
  const platformError = `${message} (${number ?? status})`.slice(0, MAX_TEXT_LENGTH);
  if (number === String(RIGHT)) {
    const words = `${message}: the user has no right to it, or consented to less: connect ${ZOHO_TITLE} again to consent to writing`;
    return denied('operation-denied', words, [], platformError);
  }
  const path = subjectOf(message, subjects);
  if (DENYING.includes(status)) return denied('operation-denied', message, path, platformError);
  const code = path.length === 0 ? null : codeOf(message);
  return code === null
    ? denied('platform-denied', message, path, platformError)
    : { code, words: message, path, platformError };
}

function codeOf(message: string): 'record-already-exists' | 'missing-params' | 'invalid-params' | null {
  if (TAKEN.test(message)) return 'record-already-exists';
  if (MISSING.test(message)) return 'missing-params';
  return INVALID.test(message) ? 'invalid-params' : null;
}

function subjectOf(message: string, subjects: Subjects): Path {
  const [, field] = subjects.find(([pattern]) => pattern.test(message)) ?? [];
  return field === undefined ? [] : fromWirePath(field.split('.'));
}

const denied = deniedBy(ZOHO_TITLE);
