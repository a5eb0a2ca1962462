import { appendFileSync } from 'node:fs';
import pg from 'pg';
import { TenantSql } from '../../src/db/tenant-sql.js';

/** Calls from these files are attributed to their callers: they only pass statements on. */
const PASSES_ON =
  /^db\/(tenant-sql|pipeline|connections|pool|prisma-pool|pooled-client|scoped-query|client|replicas\/)/;
/** May belong to a closed set, whose type may name each word. */
const WORD = /^[\w-]{2,30}$/;
/** A column with more words than this is not a closed set. */
const MAX_WORDS = 50;

type Query = (this: unknown, ...args: unknown[]) => unknown;
type HasQuery = Record<string, Query>;

/** Records once which kinds of values each statement of the service returned: call site, column, and kind of value. */
class RowFacts {
  private readonly known = new Set<string>();
  private readonly words = new Map<string, number>();

  constructor(private readonly file: string) {}

  watch(target: HasQuery, method: string): void {
    const own = target[method];
    if (!own) throw new Error(`nothing to watch: ${method}`);
    const note = this.note.bind(this);
    target[method] = function (...args) {
      const site = siteOf(new Error().stack ?? '');
      const result = own.apply(this, args);
      if (site !== null && result instanceof Promise) result.then(note.bind(null, site), () => undefined);
      return result;
    };
  }

  private note(site: string, answer: unknown): void {
    const rows = Array.isArray(answer) ? answer : (answer as pg.QueryResult | undefined)?.rows;
    for (const row of (rows ?? []) as Record<string, unknown>[]) {
      for (const [column, value] of Object.entries(row)) {
        const place = `${site}\t${column}`;
        const kind = kindOf(value);
        const fact = `${place}\t${kind}`;
        if (this.known.has(fact)) continue;
        if (kind.startsWith('string ')) {
          const words = this.words.get(place) ?? 0;
          if (words === MAX_WORDS) continue;
          this.words.set(place, words + 1);
        }
        this.known.add(fact);
        appendFileSync(this.file, `${fact}\n`);
      }
    }
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return WORD.test(value) ? `string ${value}` : 'string';
  return Array.isArray(value) ? 'array' : value instanceof Date ? 'Date' : typeof value;
}

/** `path:line:column` under `src/`, from the source maps that Jest reads. */
function siteOf(stack: string): string | null {
  for (const [, path = '', place = ''] of stack.matchAll(/\/src\/([^:()]+):(\d+:\d+)/g)) {
    if (!PASSES_ON.test(path)) return `${path}:${place}`;
  }
  return null;
}

const file = process.env['ROW_FACTS'];
const worker = globalThis as { rowFacts?: RowFacts };
if (file !== undefined && !worker.rowFacts) {
  worker.rowFacts = new RowFacts(file);
  worker.rowFacts.watch(TenantSql.prototype as unknown as HasQuery, 'rows');
  worker.rowFacts.watch(TenantSql.prototype as unknown as HasQuery, 'quickRows');
  worker.rowFacts.watch(pg.Client.prototype as unknown as HasQuery, 'query');
  worker.rowFacts.watch(pg.Pool.prototype as unknown as HasQuery, 'query');
}
