import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { clientOf } from '../db/pool/client.js';
import type { Login } from '../db/pool/login.js';
import { WAKE_CHANNEL } from '../db/wakes.js';
import { checkWritable } from '../db/pool/writable.js';

/** Class of the advisory locks that show which webhook workers are alive; `svc_is_leased` checks them. */
const LOCK_CLASS = 7_411_204;
/** Matches notifications about the logs that events are read from. */
const LOGS = / (change|event)_heads$/;
const RETRY_MS = 1000;
/**
 * A session silently dropped by the network gives no signal: it is probed at this interval, and must answer within this
 * time.
 */
const CHECK_MS = 5000;
const PATIENCE_MS = 5000;

/** A session that listens to PostgreSQL's notifications, and whose lock PostgreSQL releases when this process dies. */
interface WorkerSession {
  /** Name of the lock; empty while there is no session. */
  id(): string;
  close(): Promise<void>;
}

interface SessionOptions {
  /** The log of an organisation may have grown. */
  readonly onWake: () => void;
  readonly onError: (error: Error) => void;
}

/** Opens a session, and another one whenever it is lost. */
export function openSession(login: Login, { onWake, onError }: SessionOptions): WorkerSession {
  let client: pg.Client | null = null;
  let id = '';
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  const check = setInterval(() => {
    const asked = client;
    if (id === '' || asked === null) return;
    checkWritable(asked).catch((error: unknown) => {
      if (client !== asked) return;
      onError(error as Error);
      again(asked);
      void asked.end().catch(() => undefined);
    });
  }, CHECK_MS);
  const connect = (): void => {
    const tried = login.url;
    const own = new (clientOf(login))({
      application_name: 'svc events',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      keepAlive: true,
    });
    const name = randomUUID();
    client = own;
    own.on('notification', ({ payload = '' }) => {
      if (LOGS.test(payload)) onWake();
    });
    own.on('error', onError);
    own.once('end', () => again(own));
    open(own, name)
      .then(() => {
        if (client !== own) return;
        id = name;
        onWake();
      })
      .catch((error: unknown) => {
        login.isWorthRetrying(error, tried);
        if (!isClosed) onError(error as Error);
        again(own);
        void own.end().catch(() => undefined);
      });
  };
  const again = (lost: pg.Client): void => {
    if (client !== lost) return;
    client = null;
    id = '';
    if (!isClosed) retry = setTimeout(connect, RETRY_MS);
  };
  connect();
  return {
    id: () => id,
    close: async () => {
      isClosed = true;
      clearInterval(check);
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}

async function open(client: pg.Client, name: string): Promise<void> {
  await client.connect();
  await checkWritable(client);
  await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, name]);
  await client.query(`LISTEN ${WAKE_CHANNEL}`);
}
