import { badQuery } from './problems.js';

/** An object of a list as it is sent. */
export type Row = Readonly<Record<string, unknown>>;

/** A call that Xero would refuse. */
export class BadQuery extends Error {
  readonly answer = badQuery(this.message);
}

const CONDITION = /^(\w+)\s*==\s*"([^"]*)"$/;

/** `Type=="ACCREC"`, several of them joined by AND. */
export function whereOf(text: string | null): (row: Row) => boolean {
  if (text === null) return () => true;
  const conditions = text.split(/\s+AND\s+|&&/).map((condition) => {
    const [, name, value] = CONDITION.exec(condition.trim()) ?? [];
    if (name === undefined || value === undefined) throw new BadQuery(`cannot read ${condition}`);
    return [name, value] as const;
  });
  return (row) =>
    conditions.every(([name, value]) => {
      if (!(name in row)) throw new BadQuery(`No property or field '${name}' exists`);
      return row[name] === value;
    });
}

const ORDER = /^(\w+)(?: (ASC|DESC))?$/i;

/** `InvoiceID ASC`. */
export function orderOf(text: string): (one: Row, other: Row) => number {
  const [, name, direction = 'ASC'] = ORDER.exec(text) ?? [];
  if (name === undefined) throw new BadQuery(`cannot order by ${text}`);
  const sign = direction.toUpperCase() === 'ASC' ? 1 : -1;
  return (one, other) => {
    const [left, right] = [String(one[name]), String(other[name])];
    return left === right ? 0 : left < right ? -sign : sign;
  };
}

/** Null: the call asks for no page. */
export function pageOf(query: URLSearchParams): { readonly page: number; readonly pageSize: number } | null {
  const page = query.get('page');
  if (page === null) return null;
  return {
    page: integer('page', page, Infinity),
    pageSize: integer('pageSize', query.get('pageSize') ?? '100', 1000),
  };
}

function integer(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most) throw new BadQuery(`${name} cannot be ${text}`);
  return value;
}

const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** `2026-01-31T00:00:00`, always UTC. */
export function sinceOf(header: string | undefined): Date | null {
  if (header === undefined) return null;
  if (!UTC_TIME.test(header)) throw new BadQuery(`If-Modified-Since cannot be ${header}`);
  return new Date(`${header}Z`);
}
