import type { Config } from '../config.js';
import type { Database } from '../db/database.js';
import type { Logger } from '../log.js';
import type { PlatformUrls } from '../platforms/settings.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { demoApiKey } from './demo-key.js';
import { loadDemo } from './load.js';
import { loadDemoManagement } from './management.js';

export interface DemoOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly log: Logger;
  tell(line: string): void;
}

/** Demo data, the platforms it comes from, and the key to it. */
export interface Demo {
  readonly apiKey: string;
  readonly urls: PlatformUrls;
  stop(): Promise<void>;
}

/** Demo data where it is missing, and the key to it. */
export async function startDemo({ config, database, secrets }: DemoOptions): Promise<Demo> {
  const organisationId = await loadDemo(database);
  await loadDemoManagement(database, secrets, organisationId);
  const apiKey = await demoApiKey(database.prisma, organisationId, config);
  return { apiKey, urls: {}, stop: () => Promise.resolve() };
}
