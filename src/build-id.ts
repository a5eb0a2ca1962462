import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const UNBUILT = randomUUID();

/** Equal for processes that run the same build. Without a build, each process has its own. */
export function readBuildId(): string {
  try {
    return readFileSync(new URL('build-id', import.meta.url), 'utf8');
  } catch {
    return UNBUILT;
  }
}
