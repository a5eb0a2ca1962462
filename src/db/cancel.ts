import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** What pg's connections have and do not declare. A reason for exact versions. */
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

/** PostgreSQL forgets a request that comes before the statement has begun. */
const AGAIN_MS = 500;
const PATIENCE_MS = 5000;

/**
 * Ends what a connection does now, which `over` tells the end of. Resolves when no request to do so is on its way any more,
 * so that the next statement of the connection is safe; throws where that cannot be known.
 */
export async function cancelStatement(client: pg.PoolClient, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await requestCancel(client as unknown as Internals);
    await sleep(AGAIN_MS, null, { signal: over }).catch(() => undefined);
  }
}

/**
 * PostgreSQL closes the connection of a request after it has sent the signal, and a session that is at rest takes the
 * signal before anything that is sent to it later, to no effect.
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
