import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { LISTENER_URL } from '../demo/listener.js';
import { AppError } from '../errors.js';
import { isSigned } from '../events/signature.js';
import { portArgument } from './arguments.js';
import { createProgram, runProgram, tell, untilEnded } from './command.js';
import { refusalOf } from './refusal.js';
import { serviceOf } from './service.js';
import { readSettings } from './settings.js';

interface Options {
  readonly port: number;
  readonly service?: string;
  readonly key?: string;
  readonly secret: readonly string[];
}

const listener = new URL(LISTENER_URL);
const program = createProgram(
  'listen',
  `Receives events of webhooks, verifies their signatures and prints them, until Ctrl-C.

  npm run listen                          points the demo's webhooks here and enables them meanwhile
  npm run listen -- --secret whsec_...    for your own webhook with this secret`,
)
  .option('--port <number>', 'port to listen on', portArgument, Number(listener.port))
  .option('--service <url>', 'URL of the service; by default that of npm start on this machine')
  .option('--key <key>', 'API key of the service; by default the demo key')
  .option(
    '--secret <secret>',
    'signing secret of a webhook; repeatable',
    (secret: string, others: string[]) => [...others, secret],
    [] as string[],
  )
  .action(listen);

void runProgram(program);

async function listen({ port, secret, ...options }: Options): Promise<void> {
  const config = readSettings();
  const stop = untilEnded();
  const secrets = [...secret];
  const server = createServer((request, response) => {
    receive(request, secrets).then(
      (status) => response.writeHead(status).end(),
      // The sender disconnected midway.
      () => response.destroy(),
    );
  });
  server.listen(port, listener.hostname);
  await once(server, 'listening');
  const own = `http://${listener.hostname}:${port}${listener.pathname}`;
  tell(`Listening at ${own}, Ctrl-C ends it`);
  try {
    const ends = secret.length > 0 ? [] : await subscribe();
    await stop;
    for (const end of ends) await end();
  } finally {
    server.closeAllConnections();
    server.close();
  }

  async function subscribe(): Promise<(() => Promise<unknown>)[]> {
    const { url, apiKey } = serviceOf(options, config);
    const call = caller(`${url}/v3/core/webhooks`, apiKey);
    const { data } = (await call('GET', '')) as { data: { id: string; name: string; url: string }[] };
    const ours = data.filter((one) => [LISTENER_URL, own].includes(one.url));
    for (const { id, name } of ours) {
      const { data: rotated } = (await call('POST', `/${id}/rotate_secret`)) as { data: { secret: string } };
      secrets.push(rotated.secret);
      await call('PUT', `/${id}`, { url: own, enabled: true });
      tell(`Receiving what the webhook "${name}" watches`);
    }
    if (ours.length > 0) {
      return ours.map(
        ({ id }) =>
          () =>
            call('PUT', `/${id}`, { enabled: false }),
      );
    }
    const webhook = { name: 'npm run listen', type: 'DATA_MODEL_CHANGES', url: own };
    const made = (await call('POST', '', { webhook })) as { id: string; secret: string };
    secrets.push(made.secret);
    tell('Receiving all changes of records');
    return [() => call('DELETE', `/${made.id}`)];
  }
}

/** Prints an event and returns the response status. */
async function receive(request: IncomingMessage, secrets: readonly string[]): Promise<number> {
  const body = await text(request);
  const now = new Date();
  const isGood = secrets.some((secret) => isSigned(request.headers, body, { secret, now }));
  const id = String(request.headers['webhook-id']);
  process.stdout.write(`${now.toISOString()} ${isGood ? 'verified' : 'NOT VERIFIED'} ${id}\n${body}\n`);
  return isGood ? 204 : 401;
}

function caller(base: string, apiKey: string) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    }).catch((error: unknown) => {
      throw new AppError('service-unavailable', `there is no service at ${base}: npm start starts one`, [], {
        cause: error,
      });
    });
    if (!answer.ok) throw new AppError('operation-denied', (await refusalOf(answer)).message);
    return answer.json();
  };
}
