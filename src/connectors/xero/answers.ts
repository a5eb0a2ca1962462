import { type Classify } from '../answers.js';
import { type PlatformObject } from '../platform.js';
import { objectsIn, textOf } from '../values/platform-values.js';
import { NIL_GUID } from './guid.js';

/**
 * Classifies Xero's responses beyond their status. A scope that was not granted is refused with 401, and a token that
 * no longer opens the organisation with 403: it was disconnected under "Connected apps", its user lost the right to
 * connect apps, or it no longer exists.
 */
export const classifyXero: Classify = ({ method, status, body }) => {
  const detail = textOf(body?.['Detail']) ?? textOf(body?.['detail']);
  if (status === 401 && detail === 'AuthorizationUnsuccessful') return { kind: 'refused' };
  if (status === 403 && detail === 'AuthenticationUnsuccessful') {
    return { kind: 'access ended', isToken: false };
  }
  if (body && status >= 200 && status < 300 && method !== 'GET' && hasError(body)) return { kind: 'refused' };
  if (body && status === 400) return { kind: 'refused', ...wordsOf(body) };
  return null;
};

const hasError = (body: PlatformObject): boolean =>
  Object.entries(body).some(([list, objects]) =>
    objectsIn(objects).some((object) => isRefused(list, object)),
  );

/**
 * Whether an object of a list in the response was not written. Not every type has a `StatusAttributeString`; where it is
 * `OK`, errors are warnings.
 */
export function isRefused(list: string, object: PlatformObject): boolean {
  const status = object['StatusAttributeString'];
  const id = object[`${list.replace(/s$/, '')}ID`];
  if (status === 'ERROR' || id === NIL_GUID) return true;
  if (status === 'OK') return false;
  const hasFlag = object['HasValidationErrors'] === true || object['HasErrors'] === true;
  return hasFlag || objectsIn(object['ValidationErrors']).length > 0;
}

/** The errors are listed with the sent objects; the response's own message is generic. */
function wordsOf(body: PlatformObject): { readonly words?: string } {
  const errors = objectsIn(body['Elements'])
    .flatMap((element) => objectsIn(element['ValidationErrors']))
    .map((error) => textOf(error['Message']))
    .filter((message) => message !== null);
  if (errors.length === 0) return {};
  return { words: [textOf(body['Message']) ?? 'validation failed', ...errors].join('; ') };
}
