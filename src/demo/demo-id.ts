import { createHash } from 'node:crypto';

/** An id of `length` hexadecimal digits that is the same on every machine, so that documents can show it. */
export const demoId = (name: string, length: number): string =>
  createHash('sha256').update(`demo/${name}`).digest('hex').slice(0, length);
