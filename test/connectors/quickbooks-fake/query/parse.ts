import { Refusal, unreadableQuery } from '../problems.js';
import { type Token, tokensOf } from './tokens.js';

export const OPERATORS = ['=', '<', '>', '<=', '>=', 'in', 'like'] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  readonly property: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export interface Order {
  readonly property: string;
  readonly isDescending: boolean;
}

export interface Select {
  /** Null for all. */
  readonly properties: readonly string[] | null;
  readonly isCount: boolean;
  readonly entity: string;
  readonly where: readonly Condition[];
  readonly orderBy: readonly Order[];
  readonly start: number;
  readonly most: number;
}

const KEYWORDS = [
  'from',
  'where',
  'and',
  'orderby',
  'order',
  'by',
  'startposition',
  'maxresults',
  'asc',
  'desc',
  'or',
];
const DEFAULT_MOST = 100;

/** Reads Intuit's dialect: no `or`, no joins, no `!=`. Words and names are read in any case. */
export function parse(query: string): Select {
  const tokens = [...tokensOf(query)];
  const is = (text: string) => tokens[0]?.kind !== 'text' && tokens[0]?.text.toLowerCase() === text;
  const encountered = (): never => {
    const [token] = tokens;
    throw new Refusal(unreadableQuery(`Encountered "${token ? token.text : '<EOF>'}" in: ${query}`));
  };
  const take = (): Token => tokens.shift() ?? encountered();
  const accept = (text: string): boolean => is(text) && tokens.shift() !== undefined;
  const expect = (text: string): void => {
    if (!accept(text)) encountered();
  };
  const name = (): string => {
    const [token] = tokens;
    if (token?.kind !== 'word' || KEYWORDS.includes(token.text.toLowerCase())) return encountered();
    return take().text;
  };
  const value = (): string => (tokens[0]?.kind === 'sign' ? encountered() : take().text);
  const count = (): number => {
    const text = take().text;
    return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : encountered();
  };

  function selected(): Pick<Select, 'properties' | 'isCount'> {
    if (accept('*')) return { properties: null, isCount: false };
    const properties: string[] = [];
    do {
      if (accept('count')) {
        ['(', '*', ')'].forEach(expect);
        return { properties: null, isCount: true };
      }
      properties.push(name());
    } while (accept(','));
    return { properties, isCount: false };
  }

  function condition(): Condition {
    const property = name();
    const operator = OPERATORS.find((one) => is(one)) ?? encountered();
    take();
    if (operator !== 'in') return { property, operator, values: [value()] };
    expect('(');
    const values = [value()];
    while (accept(',')) values.push(value());
    expect(')');
    return { property, operator, values };
  }

  function order(): Order {
    const property = name();
    const isDescending = accept('desc');
    if (!isDescending) accept('asc');
    return { property, isDescending };
  }

  function listOf<Item>(item: () => Item, separator: string): Item[] {
    const items = [item()];
    while (accept(separator)) items.push(item());
    return items;
  }

  expect('select');
  const what = selected();
  expect('from');
  const entity = name();
  const where = accept('where') ? listOf(condition, 'and') : [];
  const isOrdered = accept('orderby') || (accept('order') && (expect('by'), true));
  const orderBy = isOrdered ? listOf(order, ',') : [];
  const start = accept('startposition') ? count() : 1;
  const most = accept('maxresults') ? count() : DEFAULT_MOST;
  if (tokens.length > 0) encountered();
  return { ...what, entity, where, orderBy, start, most };
}
