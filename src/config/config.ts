import type { Limits } from '../limits.js';
import { type DatabaseSettings, readDatabase } from './database.js';
import { type DemoSettings, readDemo } from './demo.js';
import { type FileSettings, readFiles } from './files.js';
import { readLimits } from './limits.js';
import { type ObservabilitySettings, readObservability } from './observability.js';
import { oneOf, secretKeys } from './parsers.js';
import { type PlatformSettings, readPlatforms } from './platforms.js';
import { type ProcessSettings, readProcesses } from './processes.js';
import { readRetention, type Retention } from './retention.js';
import { readServer, type ServerSettings } from './server.js';
import { Variables } from './variables.js';

/** All settings, read once from the environment and passed down. */
export interface Config
  extends
    DatabaseSettings,
    DemoSettings,
    FileSettings,
    ObservabilitySettings,
    PlatformSettings,
    ProcessSettings,
    ServerSettings {
  readonly production: boolean;
  /** Keys for secrets at rest: the first encrypts, all decrypt. */
  readonly secretKeys: readonly Buffer[];
  readonly retention: Retention;
  readonly limits: Limits;
}

const MODES = ['production', 'development', 'test'] as const;

/** Reads the settings. Throws ConfigError that names every bad one. */
export function readConfig(environment: NodeJS.ProcessEnv, integrationTypes: readonly string[]): Config {
  const variables = new Variables(environment);
  const production = variables.read('NODE_ENV', oneOf(MODES), 'development') === 'production';
  const database = readDatabase(variables, { production });
  const server = readServer(variables, { production });
  const config: Config = {
    production,
    ...server,
    ...database,
    ...readDemo(variables, { ...server, isDefault: database.databaseUrl === null && !production }),
    ...readProcesses(variables),
    ...readPlatforms(variables, integrationTypes),
    ...readFiles(variables),
    ...readObservability(variables),
    secretKeys: variables.read('SECRET_KEYS', secretKeys, []),
    retention: readRetention(variables),
    limits: readLimits(variables),
  };
  variables.check();
  return config;
}
