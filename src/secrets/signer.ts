import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Creates signed tokens that others cannot forge or change. Their payload is readable. */
export interface Signer {
  /** Base64url of the payload, the name of the key and an HMAC-SHA256 over both. */
  sign(payload: Uint8Array): string;
  /** The payload of a token signed by one of the keys; null for any other text. */
  open(token: string): Buffer | null;
}

const VERSION = Buffer.of(1);
const NAME_BYTES = 4;
const MAC_BYTES = 32;
const HEAD_BYTES = VERSION.length + NAME_BYTES;

/** A key for `purpose` only. */
export const derivedKey = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `svc ${purpose}`, 32));

/** The first key of `named` signs, all verify. Their names are eight hexadecimal digits. */
export function createSigner(named: ReadonlyMap<string, Buffer>, purpose: string): Signer {
  const derived = new Map([...named].map(([name, key]) => [name, derivedKey(key, purpose)]));
  const [current] = derived;
  if (!current) throw new Error('a signer needs a key');
  const mac = (key: Buffer, signed: Uint8Array) => createHmac('sha256', key).update(signed).digest();
  return {
    sign: (payload) => {
      const [name, key] = current;
      const signed = Buffer.concat([VERSION, Buffer.from(name, 'hex'), payload]);
      return Buffer.concat([signed, mac(key, signed)]).toString('base64url');
    },
    open: (token) => {
      const bytes = Buffer.from(token, 'base64url');
      // Unused bits and characters that decoding ignores would allow other texts for the same token.
      if (bytes.toString('base64url') !== token || bytes.length < HEAD_BYTES + MAC_BYTES) return null;
      const signed = bytes.subarray(0, -MAC_BYTES);
      const key = derived.get(signed.subarray(VERSION.length, HEAD_BYTES).toString('hex'));
      if (!key || signed[0] !== VERSION[0]) return null;
      return timingSafeEqual(bytes.subarray(-MAC_BYTES), mac(key, signed))
        ? signed.subarray(HEAD_BYTES)
        : null;
    },
  };
}
