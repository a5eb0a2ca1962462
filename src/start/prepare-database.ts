import type { Config } from '../config/config.js';
import { connectDatabase, connectOwner, type Database, type OwnerDatabase } from '../db/database.js';
import { migrate } from '../db/migrations/index.js';
import { openDatabase } from '../db/opening/open.js';
import { checkPooler } from '../db/opening/pooler.js';
import { type Patience, whenAnswering } from '../db/opening/wait.js';
import { Login } from '../db/pool/login.js';
import { checkReplicas } from '../db/replicas/address.js';
import { reportTo } from '../db/reports.js';
import { prepareRuntime, type Runtime } from '../db/runtime/index.js';
import { AppError } from '../errors.js';
import { migrateJobs } from '../jobs/migrate-jobs.js';
import type { Logger } from '../telemetry/log.js';
import { refuseKeysOfAnother, refuseOtherKeys } from '../operations/secrets/rotate-secrets.js';
import { renewLimits } from '../platforms/renew-limits.js';
import { loadSecretBox, LOGIN_PURPOSE } from '../secrets/keys.js';
import type { SecretBox } from '../secrets/secret-box.js';

interface PrepareOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Called with a line for people when something takes long. */
  readonly tell: (line: string) => void;
  /** When aborted: waits no longer for a database that does not answer. */
  readonly signal: AbortSignal | undefined;
  /** Collects how to close what was opened, in the order of opening. */
  readonly started: (() => Promise<void>)[];
}

/** A migrated database with its logins. */
export interface Prepared {
  /** The owner's address. */
  readonly url: string;
  readonly owner: OwnerDatabase;
  /** Login of requests and jobs. */
  readonly login: Login;
  readonly database: Database;
  readonly secrets: SecretBox;
}

/** Opens the database, waiting for it if need be, migrates it, and connects as requests do. */
export async function prepareDatabase({
  config,
  log,
  tell,
  signal,
  started,
}: PrepareOptions): Promise<Prepared> {
  const patience: Patience = {
    seconds: config.databaseWaitSeconds,
    onWait: (reason) => tell(`Waiting up to ${config.databaseWaitSeconds} s for the database: ${reason}`),
    signal,
  };
  const opened = await openDatabase(config, 'own', {
    patience,
    onServerEnd: (message) => log.error(message),
  });
  started.push(() => opened.close());
  const owner = connectOwner(new Login([opened.url]));
  started.push(() => owner.close());
  const secrets = loadSecretBox(config);
  // The server may go away during preparation; completed steps are not repeated.
  const runtime = await whenAnswering(patience, async () => {
    await refuseKeysOfAnother(owner.pool, secrets);
    await migrate(opened.url);
    await migrateJobs(opened.url);
    // Before the login gets a password from these keys, which would lock out processes with the right ones.
    await refuseOtherKeys(owner.pool, secrets);
    return prepareRuntime(opened.url, {
      runtimeUrl: config.databaseRuntimeUrl,
      passwords: secrets.passwords(LOGIN_PURPOSE),
      pooledUrl: opened.pooledUrl,
    });
  });
  refuseOwnerLogin(runtime, config, log);
  const { login } = runtime;
  await whenAnswering(patience, () => checkPooler(login));
  const isGateway = config.role !== 'worker';
  if (isGateway) await checkReplicas(config.databaseReplicaUrls, login);
  const database = await connectDatabase(
    login,
    config,
    reportTo(log, config),
    isGateway ? { ...config, log } : null,
  );
  started.push(() => database.close());
  await (await import('../data/refresh.js')).refreshDataViews(opened.url);
  await renewLimits(owner);
  await database.pool.query('SELECT svc_ensure_change_partitions(3)');
  return { url: opened.url, owner, login, database, secrets };
}

/** Warns that row-level security does not restrict requests; production must allow it explicitly. */
function refuseOwnerLogin({ problem }: Runtime, { production, allowOwnerLogin }: Config, log: Logger): void {
  if (problem === null) return;
  const message = `requests log in as the owner of the database, to whom row-level security does not apply: ${problem}`;
  if (!production || allowOwnerLogin) return log.warn(message);
  throw new AppError(
    'invalid-params',
    `${message}. Give a login in DATABASE_RUNTIME_URL, or set ALLOW_OWNER_LOGIN=true`,
  );
}
