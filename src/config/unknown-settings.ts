import { knownVariables } from './variables.js';

const PREFIXES = /^(LIMIT|RETENTION|SVC|SYNC|DEMO|S3|LOG|METRICS)_/;
/** Internal to the cluster. */
const INTERNAL = new Set(['SVC_HANDED']);

/** Names that nothing reads: any of the `.env` file, and environment variables that look like misspelt settings. */
export function unknownSettings(environment: NodeJS.ProcessEnv, envFile: readonly string[]): string[] {
  return (
    Object.keys(environment)
      // The OpenTelemetry exporter reads its other variables.
      .filter((name) => !knownVariables.has(name) && !INTERNAL.has(name) && !name.startsWith('OTEL_'))
      .map((name) => ({ name, near: [...knownVariables].find((known) => isOneEdit(name, known)) }))
      .filter(({ name, near }) => near !== undefined || PREFIXES.test(name) || envFile.includes(name))
      .map(
        ({ name, near }) => `${name} is not a setting${near === undefined ? '' : `: did you mean ${near}?`}`,
      )
  );
}

/** Whether one insertion, deletion, substitution or swap turns one into the other. */
function isOneEdit(left: string, right: string): boolean {
  if (left.length < 4 || Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  return (
    left.slice(start + 1) === right.slice(start + 1) ||
    left.slice(start + 1) === right.slice(start) ||
    left.slice(start) === right.slice(start + 1) ||
    (left[start] === right[start + 1] &&
      left[start + 1] === right[start] &&
      left.slice(start + 2) === right.slice(start + 2))
  );
}
