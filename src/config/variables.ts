import { type Parser, Problem } from './parsers.js';

/** Every variable that is read, here or by a library; filled by reading. */
export const knownVariables = new Set([
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_FORCE_PATH_STYLE',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  // Read by `npm run sandbox`.
  'SANDBOX_DATABASE_URL',
]);

/** `docker run --env-file` keeps quotes that a shell, systemd and `.env` take away. */
const QUOTED = /^(["']).*\1$/s;

/** The environment that settings are read from. An empty variable counts as absent. */
export class Variables {
  private readonly problems: string[] = [];

  constructor(private readonly environment: NodeJS.ProcessEnv) {}

  /** The value of a variable, or `absent`. Bad ones are reported together, by `check`. */
  read<Value>(variable: string, parse: Parser<Value>, absent: Value): Value {
    knownVariables.add(variable);
    const given = this.environment[variable]?.trim();
    if (given === undefined || given === '') return absent;
    if (QUOTED.test(given)) {
      this.refuse(`${variable} is in quotes, which are part of its value: remove the quotes`);
      return absent;
    }
    const value = parse(given);
    if (!(value instanceof Problem)) return value;
    // A value may be a secret: it is not repeated.
    this.refuse(`${variable} must be ${value.expected}`);
    return absent;
  }

  isGiven(variable: string): boolean {
    return Boolean(this.environment[variable]?.trim());
  }

  /** Whether a variable is set to an empty string, as compose does when the variable it refers to is unset. */
  isEmpty(variable: string): boolean {
    return this.environment[variable]?.trim() === '';
  }

  /** Reports settings that do not fit together. */
  refuse(problem: string): void {
    this.problems.push(problem);
  }

  /** Throws ConfigError if anything was wrong. */
  check(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }
}

/** Invalid settings: all problems, one per line. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`These settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}
