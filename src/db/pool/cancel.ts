import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Undeclared members of pg's connections. A reason for exact versions. */
interface Internals {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly processID: number;
  readonly secretKey: number;
}
interface Line {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  once(event: 'connect' | 'sslconnect' | 'end', listener: () => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  readonly stream: { destroy(): void };
}
const PlainConnection = pg.Connection as unknown as new (config: { ssl: boolean | object }) => Line;

/** PostgreSQL ignores a cancel request that arrives before the statement has begun. */
const AGAIN_MS = 500;
const PATIENCE_MS = 5000;

/**
 * Cancels the running statement of a connection, whose end aborts `over`. Resolves when no cancel request is in flight
 * any more, so that the connection's next statement is safe; throws if that cannot be known.
 */
export async function cancelStatement(client: pg.PoolClient, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await requestCancel(client as unknown as Internals);
    await sleep(AGAIN_MS, null, { signal: over }).catch(() => undefined);
  }
}

/**
 * PostgreSQL closes a cancel request's connection after sending the signal, and an idle session handles the signal, to
 * no effect, before anything sent to it later.
 */
function requestCancel({ host, port, ssl, processID, secretKey }: Internals): Promise<void> {
  const line = new PlainConnection({ ssl });
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(new Error('timeout expired')), PATIENCE_MS);
    const fail = (error: Error) => {
      clearTimeout(late);
      line.stream.destroy();
      reject(error);
    };
    const ask = () => line.cancel(processID, secretKey);
    line.once('connect', () => (ssl ? line.requestSsl() : ask()));
    line.once('sslconnect', ask);
    line.on('error', fail);
    line.once('end', () => {
      clearTimeout(late);
      resolve();
    });
    if (host.startsWith('/')) line.connect(`${host}/.s.PGSQL.${port}`);
    else line.connect(port, host);
  });
}
