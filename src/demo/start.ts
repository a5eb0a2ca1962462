import type { Config } from '../config/config.js';
import type { Database, OwnerDatabase } from '../db/database.js';
import { openFiles } from '../files/index.js';
import type { Logger } from '../telemetry/log.js';
import { createOutboundCaller } from '../outbound/caller.js';
import type { PlatformUrls } from '../platforms/settings.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { demoApiKey } from './demo-key.js';
import { withDemoLock } from './demo-lock.js';
import { type DemoEngine, loadDemo } from './load.js';
import { startDemoSandbox } from './sandbox.js';
import { readChanged } from '../sync/read-changed.js';
import { patienceOf } from '../writes/engine.js';

/** The demo's platforms are local. */
const CONNECT_MS = 5000;

interface DemoOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly owner: OwnerDatabase;
  readonly secrets: SecretBox;
  readonly log: Logger;
  /** Called with progress lines for people. */
  readonly tell: (line: string) => void;
}

/** The demo's platforms, and the key to its data. */
export interface Demo {
  readonly apiKey: string;
  readonly urls: PlatformUrls;
  stop(): Promise<void>;
}

/** Base URLs of the sandbox's integration types; shops with their own URL are typed in. */
const sandboxUrls = (url: string): PlatformUrls => ({ SVC_SANDBOX: url, SVC_SANDBOX_PER_SHOP: url });

/**
 * Starts the sandbox platforms, unless they run elsewhere (SANDBOX_URL), and loads the demo data that is missing.
 * Processes that start together do so in turn.
 */
export const startDemo = (options: DemoOptions): Promise<Demo> =>
  withDemoLock(options.databaseUrl, options.tell, () => start(options));

async function start({ config, databaseUrl, owner, tell, ...parts }: DemoOptions): Promise<Demo> {
  const { publicUrl, platformUrls, sandboxPort: port } = config;
  const sandbox = platformUrls['SVC_SANDBOX']
    ? null
    : await startDemoSandbox({ databaseUrl, publicUrl, port, tell, log: parts.log });
  const outbound = createOutboundCaller({
    allowPrivate: config.allowPrivateAddresses,
    timeoutMs: CONNECT_MS,
  });
  const stop = async () => {
    await outbound.close();
    await sandbox?.stop();
  };
  try {
    const urls = { ...(sandbox ? sandboxUrls(sandbox.url) : {}), ...platformUrls };
    const { maxDeletedShare, sweepHours } = config;
    const files = await openFiles({ config, ...parts, now: () => new Date() });
    const engine: DemoEngine = {
      ...parts,
      urls,
      outbound,
      settings: { maxDeletedShare, sweepHours },
      files: files.store,
      patience: patienceOf(config),
      readChanged,
    };
    const organisationId = await loadDemo(engine, owner, tell);
    const apiKey = await demoApiKey(owner, organisationId, config);
    return { apiKey, urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
