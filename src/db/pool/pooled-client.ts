import type pg from 'pg';
import { clientOf } from './client.js';
import type { Login } from './login.js';
import { ScopedQuery } from '../scoped-query.js';

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Connections to a pooler that gives every transaction another session: every statement is unnamed, as the next session
 * does not know its name, and scoped ones carry the session's settings.
 */
export const pooledClientOf = (login: Login, settings: string) =>
  class extends clientOf(login) {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const send = this.query.bind(this) as AnyFunction;
      this.query = ((query: unknown, ...rest: unknown[]) =>
        send(unnamed(query, settings), ...rest)) as pg.Client['query'];
    }
  };

function unnamed(query: unknown, settings: string): unknown {
  if (query instanceof ScopedQuery) {
    query.goUnnamed(settings);
    return query;
  }
  return typeof query === 'object' && query !== null ? { ...query, name: undefined } : query;
}
