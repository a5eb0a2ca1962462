import { type App, createApp } from './app.js';
import type { Config } from './config.js';
import { connectDatabase, type Database } from './db/database.js';
import { migrate } from './db/migrations/index.js';
import { openDatabase } from './db/open.js';
import { demoApiKey } from './demo/demo-key.js';
import { loadDemo } from './demo/load.js';
import { loadDemoManagement } from './demo/management.js';
import { loadSecretBox } from './secrets/keys.js';
import type { SecretBox } from './secrets/secret-box.js';
import type { Logger } from './log.js';

export interface Service {
  readonly app: App;
  readonly embedded: boolean;
  readonly applied: readonly string[];
  /** The key of the demo organisation; null without demo data. */
  readonly demoApiKey: string | null;
  /** No key exists: somebody has to make the first one. */
  readonly needsFirstKey: boolean;
  /** The service first, then its database. */
  stop(): Promise<void>;
}

/** Everything from nothing: database, migrations, demo data, server. What was started is stopped when a later step fails. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const opened = await openDatabase(config, 'own');
  try {
    const secrets = loadSecretBox(config);
    const applied = await migrate(opened.url);
    const database = await connectDatabase(opened.url, config, (error) =>
      log.warn({ err: error }, 'a database connection was lost'),
    );
    try {
      const prepared = await prepare(database, { config, secrets, log });
      const app = await createApp({ config, database, secrets, log, demoApiKey: prepared.demoApiKey });
      const stop = async () => {
        await app.close();
        await opened.close();
      };
      return { app, embedded: opened.embedded, applied, ...prepared, stop };
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    await opened.close();
    throw error;
  }
}

interface Preparation {
  readonly config: Config;
  readonly secrets: SecretBox;
  readonly log: Logger;
}

async function prepare(database: Database, { config, secrets, log }: Preparation) {
  if (database.role === null) {
    log.warn('the database login may not make roles: statements run as the login itself');
  }
  await database.pool.query('SELECT svc_ensure_change_partitions(3)');
  const key = config.demoData ? await prepareDemo(database, config, secrets) : null;
  const needsFirstKey = key === null && (await database.prisma.apiKey.count()) === 0;
  return { demoApiKey: key, needsFirstKey };
}

/** Demo data where it is missing, and the key to it. */
async function prepareDemo(database: Database, config: Config, secrets: SecretBox): Promise<string> {
  const organisationId = await loadDemo(database);
  await loadDemoManagement(database, secrets, organisationId);
  return demoApiKey(database.prisma, organisationId, config);
}
