import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.js';
import { createSecretBox, parseSecretKey, randomSecretKey, type SecretBox } from './secret-box.js';

/** Purpose of the derived password of the database login. */
export const LOGIN_PURPOSE = 'database login';

/** Settings that define the keys. */
interface SecretSettings {
  readonly secretKeys: readonly Buffer[];
  readonly dataDir: string;
  readonly production: boolean;
}

/**
 * The secret box with `SECRET_KEYS`. Without them a development key is created at first start and stored in the data
 * folder; production does not start without its own.
 */
export function loadSecretBox(config: SecretSettings): SecretBox {
  if (config.secretKeys.length > 0) return createSecretBox(config.secretKeys);
  if (config.production) {
    throw new AppError(
      'invalid-params',
      'SECRET_KEYS is needed in production: 32 random bytes in base64, such as `openssl rand -base64 32` gives',
    );
  }
  const file = keyFile(config);
  if (!existsSync(file)) storeKey(config, randomSecretKey(), `.${randomUUID()}.part`, linkUnlessThere);
  const key = parseSecretKey(readFileSync(file, 'utf8').trim());
  if (!key) throw new AppError('invalid-params', `${file} holds no key: restore it, or set SECRET_KEYS`);
  return createSecretBox([key]);
}

const keyFile = ({ dataDir }: Pick<SecretSettings, 'dataDir'>): string => join(dataDir, 'secret-key');

/** Stores a key, in base64, in the data folder, atomically replacing an existing one. */
export function keepSecretKey(config: Pick<SecretSettings, 'dataDir'>, key: string): void {
  storeKey(config, key, '.part', renameSync);
}

/** Codes of file systems without hard links. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Another process may have made a key a moment ago, and encrypted with it. */
function linkUnlessThere(part: string, file: string): void {
  try {
    linkSync(part, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (!NO_LINKS.has(code)) throw error;
    renameSync(part, file);
  }
}

/** Writes the whole key before `place` gives it its name. */
function storeKey(
  config: Pick<SecretSettings, 'dataDir'>,
  key: string,
  ending: string,
  place: (part: string, file: string) => void,
): void {
  const file = keyFile(config);
  const part = file + ending;
  try {
    mkdirSync(config.dataDir, { recursive: true });
    rmSync(part, { force: true });
    try {
      writeFileSync(part, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
      place(part, file);
    } finally {
      rmSync(part, { force: true });
    }
  } catch (error) {
    throw new AppError('service-unavailable', `${file} cannot be written: ${(error as Error).message}`, [], {
      cause: error,
    });
  }
}

/** The encryption keys, in base64: those of `SECRET_KEYS`, else the one in the data folder. */
export function readSecretKeys(config: Pick<SecretSettings, 'secretKeys' | 'dataDir'>): string[] {
  if (config.secretKeys.length > 0) return config.secretKeys.map((key) => key.toString('base64'));
  const file = keyFile(config);
  return existsSync(file) ? [readFileSync(file, 'utf8').trim()] : [];
}
