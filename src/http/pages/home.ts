import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { packagePath } from '../../package-path.js';

export const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string;
};

interface HomeOptions {
  /** Path prefix of every route. */
  readonly prefix: string;
  readonly hasMetrics: boolean;
}

const NAME = 'Unified Financial Data Service';

const aboutWith = ({ prefix, hasMetrics }: HomeOptions) => {
  const below = (path: string) => prefix + path;
  return {
    name: NAME,
    version,
    graphql: below('/graphql'),
    mcp: below('/mcp'),
    rest: ['/v3/accounting/accounts', '/v3/ecommerce/transactions', '/accounting/accounts/all'].map(below),
    docs: below('/docs'),
    openapi: below('/openapi.json'),
    postman: below('/postman.json'),
    health: ['/health/live', '/health/ready'].map(below),
    ...(hasMetrics ? { metrics: below('/metrics') } : {}),
    authentication: 'header api_key, or Authorization: Bearer',
  };
};

const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const pageWith = ({ prefix, hasMetrics }: HomeOptions): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${NAME}</title>
    <link rel="icon" href="data:," />
    <style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }</style>
  </head>
  <body>
    <main>
      <h1>${NAME}</h1>
      <p>Version ${version}. One interface to accounting, payments and ecommerce data.</p>
      <ul>
        <li><a href="${prefix}/graphql">GraphQL playground</a>: <code>POST /graphql</code></li>
        <li>REST: <code>GET /v3/accounting/accounts</code> and the other paths of <a href="${prefix}/docs">its reference</a></li>
        <li><a href="${prefix}/health/ready">Health</a>${hasMetrics ? ` and <a href="${prefix}/metrics">metrics</a>` : ''}</li>
      </ul>
      <p>Every call for data needs an API key in the header <code>api_key</code>, or as <code>Authorization: Bearer</code>.</p>
    </main>
  </body>
</html>
`;

/** GET /: describes the service, as a page for browsers and as JSON for others. */
export function serveHome(server: FastifyInstance, options: HomeOptions): void {
  const about = aboutWith(options);
  const page = pageWith(options);
  server.get('/', (request, reply) =>
    request.headers.accept?.includes('text/html')
      ? reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page)
      : reply.send(about),
  );
}
