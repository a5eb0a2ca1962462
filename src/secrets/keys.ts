import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.js';
import { createSecretBox, parseSecretKey, randomSecretKey, type SecretBox } from './secret-box.js';

/** What says which keys there are. */
interface SecretSettings {
  readonly secretKeys: readonly Buffer[];
  readonly dataDir: string;
  readonly production: boolean;
}

/**
 * The box of `SECRET_KEYS`. Without them a development key is made at first start and kept in the data folder;
 * production does not start without its own.
 */
export function loadSecretBox(config: SecretSettings): SecretBox {
  if (config.secretKeys.length > 0) return createSecretBox(config.secretKeys);
  if (config.production) {
    throw new AppError(
      'invalid-params',
      'SECRET_KEYS is needed in production: 32 random bytes in base64, such as `openssl rand -base64 32` gives',
    );
  }
  const file = join(config.dataDir, 'secret-key');
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true });
    writeFileSync(file, `${randomSecretKey()}\n`, { mode: 0o600, flag: 'wx' });
  }
  const key = parseSecretKey(readFileSync(file, 'utf8').trim());
  if (!key) throw new AppError('invalid-params', `${file} holds no key: restore it, or set SECRET_KEYS`);
  return createSecretBox([key]);
}
