import type { Path, WriteProblem } from '../../../../errors.js';
import { fromWirePath } from '../../../../base/names.js';
import { excerptOf } from '../../../client/platform-errors.js';
import { arrayOf, objectOf, textOf } from '../../../values/platform-values.js';
import { type RefusedWrite } from '../../../push.js';

/** Item field names by Shop field name. */
export type FieldNames = Readonly<Record<string, string>>;

/** Why Shop refused a write: it sends a text, or lists of texts by field. */
export function refusalOf({ status, body, text }: RefusedWrite, names: FieldNames): WriteProblem {
  const errors = body?.['errors'];
  const [problem] = Object.entries(objectOf(errors) ?? {});
  if (problem) {
    const [field, said] = problem;
    const words = (textOf(arrayOf(said)?.[0]) ?? 'it is invalid').replace(`${field}: `, '');
    const platformError = excerptOf(JSON.stringify(errors));
    return { code: 'invalid-params', words, path: pathOf(field, names), platformError };
  }
  const message = textOf(errors) ?? excerptOf(text);
  return [403, 404, 405, 409].includes(status)
    ? { code: 'operation-denied', words: `Operation Denied: ${message}`, path: [], platformError: message }
    : {
        code: 'platform-denied',
        words: `SVC Sandbox Shop refused the write: ${message}`,
        path: [],
        platformError: message,
      };
}

/** `customer.default_address.zip` as `['address', 'pincode']`; the first part is the kind. */
const pathOf = (field: string, names: FieldNames): Path =>
  fromWirePath(
    field
      .split('.')
      .slice(1)
      .map((part) => names[part] ?? part),
  );
