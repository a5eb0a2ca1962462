import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Equal for processes that run the same code: what was built says so; of any other code there is one process. */
export function readBuildId(): string {
  try {
    return readFileSync(new URL('build-id', import.meta.url), 'utf8');
  } catch {
    return randomUUID();
  }
}
