import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What Zoho's own API description (OpenAPI, books v3, December 2025) says of the requests that we send: their parameters,
 * and the fields of their bodies with the types. Those that must be there end in a star. Made of it by a script.
 */
interface Described {
  readonly query: readonly string[];
  readonly body: Shape | null;
}

type Shape = string | readonly [Shape] | { readonly [name: string]: Shape };

const requests = JSON.parse(readFileSync(join(import.meta.dirname, 'requests.json'), 'utf8')) as Readonly<
  Record<string, Described>
>;

/** What is missing in the description, or wrong: answers have these fields, and so do its examples. */
const GAPS: readonly string[] = [
  // Lines that stay are named by their id, and have accounts.
  'PUT /invoices/{}: line_items[].line_item_id is unknown',
  'PUT /invoices/{}: line_items[].account_id is unknown',
  // A credit note would have no prices, and no half hours.
  'POST /creditnotes: line_items[].rate is unknown',
  'POST /creditnotes: line_items[].quantity is not integer',
];

interface Sent {
  readonly method: string;
  /** Below the API, with its ids. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As JSON; null if there is none. */
  readonly body: unknown;
}

/** In what a request is not as Zoho describes it. */
export function unlikeOfficial({ method, path, query, body }: Sent): string[] {
  const place = `${method} /${path.replace(/\d{3,}/, '{}')}`;
  const [, described] =
    Object.entries(requests).find(([name]) => name.replace(/\{\w+\}/, '{}') === place) ?? [];
  if (!described) return [`${place} is not described`];
  const strange = [...query.keys()].filter((name) => !described.query.includes(name));
  const problems = [
    ...strange.map((name) => `?${name} is unknown`),
    ...(described.body === null
      ? body === null
        ? []
        : ['there is a body']
      : unlike(described.body, body, '')),
  ];
  return problems.map((problem) => `${place}: ${problem}`).filter((problem) => !GAPS.includes(problem));
}

function unlike(shape: Shape, value: unknown, at: string): string[] {
  if (typeof shape === 'string') return isOf(shape, value) ? [] : [`${at} is not ${shape}`];
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${at} is not a list`];
    return [...new Set(value.flatMap((one) => unlike(shape[0], one, `${at}[]`)))];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is not an object`];
  const placeOf = (name: string) => (at === '' ? name : `${at}.${name}`);
  const given = value as Readonly<Record<string, unknown>>;
  const missing = Object.keys(shape).flatMap((name) =>
    name.endsWith('*') && given[name.slice(0, -1)] === undefined
      ? [`${placeOf(name.slice(0, -1))} is missing`]
      : [],
  );
  const others = Object.entries(given).flatMap(([name, inner]) => {
    const known = shape[name] ?? shape[`${name}*`];
    return known === undefined ? [`${placeOf(name)} is unknown`] : unlike(known, inner, placeOf(name));
  });
  return [...missing, ...others];
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'any':
    case 'object':
      return true;
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === type;
  }
}
