import type { Path, WriteProblem } from '../errors.js';

/** Problems of writes that a platform, given by its title, does not allow or refuses without naming a field of ours. */
export const deniedBy =
  (title: string) =>
  (
    code: 'operation-denied' | 'platform-denied',
    words: string,
    path: Path,
    platformError: string,
  ): WriteProblem => {
    const start = code === 'operation-denied' ? 'Operation Denied' : `${title} refused the write`;
    return { code, words: `${start}: ${words}`, path, platformError };
  };
