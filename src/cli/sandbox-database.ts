import { postgresUrl } from '../config/parsers.js';
import { Variables } from '../config/variables.js';
import { DataFolderError, startEmbedded } from '../db/embedded/index.js';
import { requireDatabase } from '../db/opening/open.js';

const SETTING = 'SANDBOX_DATABASE_URL';

interface SandboxDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** The PostgreSQL of SANDBOX_DATABASE_URL, or else an embedded one. Throws with one clear message. */
export async function openSandboxDatabase(dataDir: string): Promise<SandboxDatabase> {
  const variables = new Variables(process.env);
  const url = variables.read<string | null>(SETTING, postgresUrl, null);
  variables.check();
  if (url === null) return startEmbedded({ dataDir }).catch(inOwnWords);
  await requireDatabase(url, SETTING);
  return { url, stop: async () => {} };
}

/** The embedded database names the settings of the service. */
function inOwnWords(error: unknown): never {
  if (!(error instanceof DataFolderError)) throw error;
  const message = error.message.replaceAll('DATABASE_URL', SETTING).replaceAll('DATA_DIR', '--data-dir');
  throw new DataFolderError(message, { cause: error });
}
