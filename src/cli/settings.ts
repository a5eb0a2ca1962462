import { type Config, readConfig } from '../config/config.js';
import { loadEnvFile } from '../config/env-file.js';

/**
 * Settings from `.env` and the environment, for a command. Excludes platform URLs: no command uses them, and their
 * names would require loading all connectors.
 */
export function readSettings(): Config {
  loadEnvFile();
  return readConfig(process.env, []);
}
