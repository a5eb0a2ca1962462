import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const UNBUILT = randomUUID();

/** Equal for processes that run the same code: the build says so. What was not built is known to its own process only. */
export function readBuildId(): string {
  try {
    return readFileSync(new URL('build-id', import.meta.url), 'utf8');
  } catch {
    return UNBUILT;
  }
}
