import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4096;
const SALT_BYTES = 16;

/**
 * The verifier that PostgreSQL stores for a password: sent instead of the password, which then cannot appear in its
 * log. RFC 5802.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyFor = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const server = keyFor('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}
