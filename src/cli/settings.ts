import { type Config, loadEnvFile, readConfig } from '../config.js';

/**
 * The settings of `.env` and the environment, for a command. Addresses of platforms are not among them: no command
 * calls one by a setting, and their names are those of the connectors, which would all have to be loaded.
 */
export function readSettings(): Config {
  loadEnvFile();
  return readConfig(process.env, []);
}
