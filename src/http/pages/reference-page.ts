import type { FastifyInstance } from 'fastify';
import { servePageFile } from './page-file.js';

/** Calls only this service: no third-party fonts, proxy or assistant. */
const CONFIGURATION = {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'api_key' },
  defaultOpenFirstTag: false,
};

/** Scalar sets styles on elements, and its script holds stylesheet and icons. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>API reference</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
    <style>body { margin: 0 }</style>
  </head>
  <body>
    <div id="reference">Loading…</div>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const START = `document.getElementById('reference').textContent = '';
Scalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)});
`;

/** GET /docs: the OpenAPI document as a page to read and to try, from this service alone. */
export function serveReferencePage(server: FastifyInstance): void {
  server.get('/docs', (_request, reply) =>
    reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(PAGE),
  );
  servePageFile(server, '/docs/scalar.js', { type: 'text/javascript', maxAge: 3600 });
  server.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(START),
  );
}
