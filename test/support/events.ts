import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { App } from '../../src/app.js';
import type { ReadChanges } from '../../src/events/sources/change-events.js';
import { createDispatcher, type Dispatcher } from '../../src/events/dispatcher.js';
import { createExecutor } from '../../src/graphql/execute.js';
import { createSchema } from '../../src/graphql/schema.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { createLog } from '../../src/telemetry/log.js';
import { createOutboundCaller } from '../../src/outbound/caller.js';
import { createWebhookChanges } from '../../src/rest/webhook-changes.js';
import { testSecrets } from './sandbox.js';

/** A clock that only moves when told to. */
export interface Clock {
  now(): Date;
  forward(milliseconds: number): void;
}

export function createClock(start = new Date()): Clock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    forward: (milliseconds) => {
      now += milliseconds;
    },
  };
}

export interface Delivering extends Dispatcher {
  readonly close: () => Promise<void>;
}

/** An event dispatcher with its own clock; it only looks for due events when asked to. */
export function createDelivering(
  app: App,
  options: {
    readonly clock: Clock;
    readonly timeoutMs?: number;
    /** Awaited before changes are read. */
    readonly beforeRead?: () => Promise<unknown>;
  },
): Delivering {
  const outbound = createOutboundCaller({ allowPrivate: true, timeoutMs: options.timeoutMs ?? 15_000 });
  const readChanges = readChangesOf(app);
  const dispatcher = createDispatcher({
    database: app.database,
    secrets: testSecrets,
    outbound,
    readChanges: async (scope, wanted) => {
      await options.beforeRead?.();
      return readChanges(scope, wanted);
    },
    log: createLog('silent'),
    now: () => options.clock.now(),
    random: () => 0.5,
  });
  return {
    settle: () => dispatcher.settle(),
    stop: () => dispatcher.stop(),
    close: async () => {
      await dispatcher.stop();
      await outbound.close();
    },
  };
}

const executor = createExecutor(createSchema(), { jit: true });

/** Reads the records for webhook events, as a worker does. */
function readChangesOf(app: App): ReadChanges {
  const surroundings = {
    database: app.database,
    secrets: testSecrets,
    urls: {},
    files: undefined as never,
    outbound: undefined as never,
    readChanges: undefined as never,
    limits: DEFAULT_LIMITS,
    stopping: new AbortController().signal,
    publicUrl: () => app.url,
  };
  return createWebhookChanges(executor, surroundings, createLog('silent'));
}

/** An event that a receiver got. */
export interface Got {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: any;
}

/** A webhook receiver under a test's control. It records events with a valid signature, including those it refuses. */
export interface Receiver {
  readonly url: string;
  readonly got: Got[];
  /** Events that it accepted with a 2xx status. */
  readonly taken: Got[];
  /** Sets how to respond: by a status, or by handling the response. Initially 204. */
  answer(how: (got: Got, response: ServerResponse) => number | void): void;
  /** Sets the secrets to verify with; each event must be signed with all of them. */
  verifyWith(...secrets: string[]): void;
  /** Stops listening; `up` starts again. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const got: Got[] = [];
  const taken: Got[] = [];
  let how: (one: Got, response: ServerResponse) => number | void = () => 204;
  let verifiers: Webhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const headers = request.headers;
      for (const verifier of verifiers) {
        // The verifier uses the machine's clock, the events the test's: only the signature is compared.
        const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000);
        const expected = verifier.sign(headers['webhook-id'] as string, timestamp, text);
        if (!String(headers['webhook-signature']).split(' ').includes(expected)) {
          return void response.writeHead(401).end('wrong signature');
        }
      }
      const one = { id: String(headers['webhook-id']), headers, text, body: JSON.parse(text) };
      got.push(one);
      const status = how(one, response);
      if (status === undefined) return;
      if (status >= 200 && status < 300) taken.push(one);
      response.writeHead(status).end();
    });
  });
  let port = 0;
  const up = async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const down = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await up();
  return {
    url: `http://127.0.0.1:${port}/`,
    got,
    taken,
    answer: (answer) => {
      how = answer;
    },
    verifyWith: (...secrets) => {
      verifiers = secrets.map((secret) => new Webhook(secret));
    },
    up,
    down,
    close: async () => {
      if (server.listening) await down();
    },
  };
}
