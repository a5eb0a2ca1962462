import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Loads `.env` of the working folder into the environment; existing variables win. Returns its names. */
export function loadEnvFile(): string[] {
  if (!existsSync('.env')) return [];
  const names = Object.keys(parseEnv(readFileSync('.env', 'utf8')));
  process.loadEnvFile('.env');
  return names;
}
