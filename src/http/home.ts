import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { packagePath } from '../package-path.js';

export const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string;
};

const ABOUT = {
  name: 'Unified Financial Data Service',
  version,
  graphql: '/graphql',
  mcp: '/mcp',
  rest: ['/v3/accounting/accounts', '/v3/ecommerce/transactions', '/accounting/accounts/all'],
  docs: '/docs',
  openapi: '/openapi.json',
  postman: '/postman.json',
  health: ['/health/live', '/health/ready'],
  metrics: '/metrics',
  authentication: 'header api_key, or Authorization: Bearer',
};

const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${ABOUT.name}</title>
    <link rel="icon" href="data:," />
    <style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }</style>
  </head>
  <body>
    <h1>${ABOUT.name}</h1>
    <p>Version ${version}. One interface to accounting, payments and ecommerce data.</p>
    <ul>
      <li><a href="/graphql">GraphQL playground</a>: <code>POST /graphql</code></li>
      <li>REST: <code>GET /v3/accounting/accounts</code> and the other paths of <a href="/docs">its reference</a></li>
      <li><a href="/health/ready">Health</a> and <a href="/metrics">metrics</a></li>
    </ul>
    <p>Every call for data needs an API key in the header <code>api_key</code>, or as <code>Authorization: Bearer</code>.</p>
  </body>
</html>
`;

/** GET /: what runs here, as a page for browsers and as JSON for everybody else. */
export function serveHome(server: FastifyInstance): void {
  server.get('/', (request, reply) =>
    request.headers.accept?.includes('text/html')
      ? reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(PAGE)
      : reply.send(ABOUT),
  );
}
