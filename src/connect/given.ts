import type { AccessField, Given } from '../connectors/access.js';
import { invalid } from '../errors.js';
import type { OutboundCaller } from '../outbound/caller.js';

/** Typed-in values by field name, unvalidated. */
export type TypedValues = Readonly<Record<string, string>>;

/** A longer value was not typed. */
const MAX_LENGTH = 2000;

/**
 * Validates the values typed in for a platform's fields. Throws `invalid-params` with the name of the first invalid
 * one.
 */
export function parseGiven(
  fields: readonly AccessField[],
  typed: TypedValues,
  outbound: Pick<OutboundCaller, 'parseAddress'>,
): Given {
  let address: string | null = null;
  const settings: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const field of fields) {
    const text = (Object.hasOwn(typed, field.name) ? (typed[field.name] ?? '') : '').trim();
    if (text === '' || text.length > MAX_LENGTH || /\p{Cc}/u.test(text)) {
      throw invalid(field.name, `must be one line of 1 to ${MAX_LENGTH} characters`);
    }
    switch (field.type) {
      case 'address':
        address = plainAddress(outbound.parseAddress(text, field.name), field.name);
        break;
      case 'text':
        if (!field.pattern.test(text)) throw invalid(field.name, `must be ${field.expected}`);
        settings[field.name] = text;
        break;
      case 'choice':
        if (!field.choices.some(({ value }) => value === text)) {
          throw invalid(field.name, `must be one of ${field.choices.map(({ label }) => label).join(', ')}`);
        }
        settings[field.name] = text;
        break;
      case 'secret':
        secrets[field.name] = text;
        break;
      default:
        field satisfies never;
    }
  }
  return { address, settings, secrets };
}

/** Normalises a base URL, to which the platform's API paths are appended. */
function plainAddress(address: string, name: string): string {
  const url = new URL(address);
  if (url.search !== '') throw invalid(name, 'must be an address without a question mark');
  return url.href.replace(/\/+$/, '');
}
