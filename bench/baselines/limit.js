// The limit: PostgreSQL builds the whole answer, and Node only forwards it. No authentication, parsing or shaping.
import { createServer } from 'node:http';
import pg from 'pg';
import { statements } from './limit-statements.js';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: 'bench-limit',
  options: '-c timezone=UTC -c jit=off',
});
pool.on('error', () => {});

const server = createServer(async (request, response) => {
  try {
    const [path, query] = request.url.split('?');
    const name = path.slice(1);
    const { parameters, text } = statements[name];
    const given = new URLSearchParams(query);
    const { rows } = await pool.query({
      name,
      text,
      values: parameters.map((parameter) => given.get(parameter)),
      rowMode: 'array',
    });
    const body = Buffer.from(rows[0][0]);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    });
    response.end(body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
