import { type PlatformObject } from '../../platform.js';
import { excerptOf } from '../../client/platform-errors.js';
import { deniedBy } from '../../denied.js';
import type { Path, WriteProblem } from '../../../errors.js';
import { fromWirePath } from '../../../base/names.js';
import { type RefusedWrite } from '../../push.js';
import { objectsIn, textOf } from '../../values/platform-values.js';
import { XERO_TITLE } from '../client.js';

/** Item fields by patterns of Xero's messages, the most specific first: Xero sends sentences, not field names. */
export type Subjects = readonly (readonly [RegExp, string])[];

export const DOCUMENT_SUBJECTS: Subjects = [
  [/line ?items?/i, 'line_items'],
  [/due ?date/i, 'due_date'],
  [/delivery ?date/i, 'delivery_date'],
  [/(?:invoice|bill|order|credit ?note) ?(?:#|number|no\b)/i, 'document_number'],
  [/currency ?rate|exchange rate/i, 'currency_rate'],
  [/currency/i, 'currency_id'],
  [/\bcontact/i, 'contact_id'],
  [/\bstatus\b/i, 'status'],
  [/\breference\b/i, 'memo'],
  [/\bdate\b/i, 'posted_date'],
];

export const JOURNAL_SUBJECTS: Subjects = [
  [/debits?|credits?|balance|journal ?lines?/i, 'journal_lines'],
  [/narration/i, 'description'],
  [/\bdate\b/i, 'posted_date'],
];

const LINE_SUBJECTS: Subjects = [
  [/discount/i, 'total_discount'],
  [/tracking/i, 'tracking_category_ids'],
  [/tax/i, 'tax_id'],
  [/description/i, 'description'],
  [/quantity/i, 'quantity'],
  [/line ?amount|unit ?(?:amount|price)/i, 'unit_amount'],
  [/account/i, 'account_id'],
  [/item/i, 'item_id'],
];
const JOURNAL_LINE_SUBJECTS: Subjects = [[/line ?amount/i, 'net_amount'], ...LINE_SUBJECTS];

/** Xero's lists of lines with our names. */
const LINES: readonly { readonly theirs: string; readonly ours: string; readonly subjects: Subjects }[] = [
  { theirs: 'LineItems', ours: 'line_items', subjects: LINE_SUBJECTS },
  { theirs: 'JournalLines', ours: 'journal_lines', subjects: JOURNAL_LINE_SUBJECTS },
];

const TAKEN = /must be unique|a unique|not unique|already (?:exists|assigned|been used|in use|used)/i;
const DENIED =
  /lock date|not of valid status|only be (?:made|applied)|cannot be (?:edited|modified|updated|changed|voided|deleted)|not found for this endpoint|not have permission/i;
const MISSING =
  /\b(?:is|are) (?:required|mandatory|missing)|must be (?:specified|supplied|entered|provided)|must (?:specify|provide|enter|have|contain)|(?:cannot|can't|must not) be (?:empty|blank|null)|required field/i;

/** Statuses for absent, forbidden, or currently unchangeable objects. */
const DENYING: readonly number[] = [403, 404, 405, 409, 412];
const MAX_TEXT_LENGTH = 2000;

/** Why Xero refused a write; `idInPath` is the item field of the id in the path. */
export function refusalOf(
  { status, body, text }: RefusedWrite,
  subjects: Subjects,
  idInPath: string,
): WriteProblem {
  const found = complaintsOf(body, subjects);
  const [first] = found;
  if (first) {
    const platformError = [...new Set(found.map(({ words }) => words))].join('; ').slice(0, MAX_TEXT_LENGTH);
    return problemOf(first, platformError);
  }
  const words = textOf(body?.['Detail']) ?? textOf(body?.['Message']);
  const kind = textOf(body?.['Type']) ?? textOf(body?.['Title']);
  const platformError = (words === null ? text : [kind, words].filter(Boolean).join(': ')).slice(
    0,
    MAX_TEXT_LENGTH,
  );
  const message = words ?? excerptOf(text);
  if (!DENYING.includes(status)) return denied('platform-denied', message, [], platformError);
  return denied('operation-denied', message, status === 404 ? fromWirePath([idInPath]) : [], platformError);
}

interface Complaint {
  readonly words: string;
  /** Empty if the message does not tell. */
  readonly path: Path;
}

/**
 * The errors of the sent objects: in `Elements` of a refusal, or in their own list. Errors of lines come first, because
 * Xero repeats them for the whole object without the line.
 */
function complaintsOf(body: PlatformObject | null, subjects: Subjects): Complaint[] {
  const elements = Object.values(body ?? {}).flatMap(objectsIn);
  const ofLines = elements.flatMap((element) =>
    LINES.flatMap(({ theirs, ours, subjects: own }) =>
      objectsIn(element[theirs]).flatMap((line, index) =>
        messagesOf(line).map((words) => ({
          words,
          path: fromWirePath([ours, index, ...subjectOf(words, own)]),
        })),
      ),
    ),
  );
  const ofWhole = elements.flatMap(messagesOf).map((words) => ({
    words,
    path: fromWirePath(subjectOf(words, subjects)),
  }));
  return [...ofLines, ...ofWhole];
}

const messagesIn = (list: unknown): string[] =>
  objectsIn(list)
    .map((one) => textOf(one['Message']))
    .filter((message) => message !== null);

const messagesOf = (object: PlatformObject): string[] => messagesIn(object['ValidationErrors']);

/** What Xero says about an object that it wrote, such as an account that it removed from a line. */
export const warningsIn = (object: PlatformObject): string[] =>
  [...messagesIn(object['Warnings']), ...messagesOf(object)].map((words) => words.slice(0, MAX_TEXT_LENGTH));

const subjectOf = (words: string, subjects: Subjects): Path =>
  subjects.find(([pattern]) => pattern.test(words))?.[1].split('.') ?? [];

function problemOf({ words, path }: Complaint, platformError: string): WriteProblem {
  if (DENIED.test(words)) return denied('operation-denied', words, path, platformError);
  if (path.length === 0) return denied('platform-denied', words, [], platformError);
  const isTaken = TAKEN.test(words);
  const code = isTaken ? 'record-already-exists' : MISSING.test(words) ? 'missing-params' : 'invalid-params';
  return { code, words, path, platformError };
}

const denied = deniedBy(XERO_TITLE);
