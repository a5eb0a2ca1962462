import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '../../base/values.js';
import { servePageFile } from './page-file.js';

/** GraphiQL and its dependencies: nothing is loaded from elsewhere. */
const FILES = {
  'graphiql.css': 'text/css',
  'graphiql.js': 'text/javascript',
  'react.js': 'text/javascript',
  'react-dom.js': 'text/javascript',
} as const;

const FIRST_QUERY = `# Accounts of your companies. Press the play button, or Ctrl-Enter.
{
  companies {
    nodes {
      name
      accounts(first: 5) {
        totalCount
        nodes {
          nominalCode
          name
          category
          currency {
            code
          }
        }
      }
    }
  }
}
`;

/** GraphiQL sets styles on elements, and its own stylesheet holds images and fonts. */
export const PLAYGROUND_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Whether the page was requested on this machine itself, not through a proxy. A proxy without forwarding headers, such
 * as nginx by default, sends our own host name and uses HTTP/1.0, which browsers do not.
 */
function isLocal({ headers, raw }: FastifyRequest): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some(
    (name) => headers[name] !== undefined,
  );
  const address = raw.socket.remoteAddress ?? '';
  if (isForwarded || raw.httpVersion === '1.0') return false;
  return isLoopbackHost(headers.host) && /^(127\.|::1$|::ffff:127\.)/.test(address);
}

/** The page at GET /graphql for browsers, and its files. `apiKey` is filled in for a user of this machine,
 * `prefix` is the path before every path. */
export function createPlayground(server: FastifyInstance, apiKey: string | null, prefix: string): string {
  for (const [name, type] of Object.entries(FILES)) {
    servePageFile(server, `/playground/${name}`, { type, maxAge: 86_400 });
  }
  const optionsFor = (key: string | null) => ({
    defaultQuery: FIRST_QUERY,
    defaultHeaders: JSON.stringify({ api_key: key ?? 'your API key' }, null, 2),
  });
  const scriptFor = (
    key: string | null,
  ) => `const options = ${JSON.stringify(optionsFor(key)).replaceAll('<', '\\u003c')};
const fetcher = GraphiQL.createFetcher({
  url: '${prefix}/graphql',
  subscriptionUrl: Object.assign(new URL('${prefix}/graphql', location), { protocol: location.protocol.replace('http', 'ws') }).href,
});
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, { fetcher, shouldPersistHeaders: true, defaultEditorToolsVisibility: 'headers', ...options }),
);`;
  server.get('/playground/start.js', (request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(scriptFor(isLocal(request) ? apiKey : null)),
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Playground</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${prefix}/playground/graphiql.css" />
    <style>body { margin: 0 } #graphiql { height: 100vh }</style>
  </head>
  <body>
    <div id="graphiql">Loading…</div>
    <script src="${prefix}/playground/react.js"></script>
    <script src="${prefix}/playground/react-dom.js"></script>
    <script src="${prefix}/playground/graphiql.js"></script>
    <script src="${prefix}/playground/start.js"></script>
  </body>
</html>
`;
}
