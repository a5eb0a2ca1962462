import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

import { createSigner, derivedKey, type Signer } from './signer.js';

/** Place of a secret: it can be decrypted only there. */
export interface SecretPlace {
  readonly table: string;
  readonly row: string;
  readonly column: string;
  readonly organisationId: number;
}

/** Encrypts values that must not be stored in the database in plain text. */
export interface SecretBox {
  seal(text: string, place: SecretPlace): string;
  /** Throws if the text was changed, moved to another row, or encrypted by a key that is not in the list. */
  open(sealed: string, place: SecretPlace): string;
  /** Whether it was encrypted with the first key. */
  isCurrent(sealed: string): boolean;
  /** A signer with keys derived from these ones for `purpose` only. */
  signer(purpose: string): Signer;
  /** Passwords derived from each key for `purpose`, the first key's first. */
  passwords(purpose: string): readonly [string, ...string[]];
}

const VERSION = 'v1';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A 32-byte key from its base64 text; null for anything else. */
export function parseSecretKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64') === text ? key : null;
}

export function randomSecretKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/**
 * AES-256-GCM with the place bound in as associated data: a ciphertext moved to another row, column or organisation
 * does not decrypt. The first key encrypts, all decrypt, so that keys can be rotated without downtime.
 */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const named = new Map(keys.map((key) => [nameOf(key), key]));
  const [current] = named;
  if (!current) throw new Error('a secret box needs a key');
  return {
    signer: (purpose) => createSigner(named, purpose),
    passwords: (purpose) => {
      const [, ...others] = named.values();
      return [passwordOf(current[1], purpose), ...others.map((key) => passwordOf(key, purpose))];
    },
    isCurrent: (sealed) => sealed.startsWith(`${VERSION}:${current[0]}:`),
    seal: (text, place) => {
      const [name, key] = current;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(associatedData(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [VERSION, name, Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')].join(':');
    },
    open: (sealed, place) => {
      const [version, name = '', payload = ''] = sealed.split(':');
      const key = named.get(name);
      if (version !== VERSION || !key) throw new Error(`no key opens ${place.table}.${place.column}`);
      const bytes = Buffer.from(payload, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associatedData(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}

const associatedData = ({ table, row, column, organisationId }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([table, row, column, organisationId]));

const passwordOf = (key: Buffer, purpose: string): string => derivedKey(key, purpose).toString('base64url');

/** Identifies a key without revealing anything about it. */
const nameOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** Replaces a secret in responses to a key without its scope: of the same type, and hides the length. */
export const MASKED = '********';
