import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { createFileKey } from '../../src/files/file-key.js';
import { createFileLinks } from '../../src/files/links.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';

const keyOf = (fill: string) => Buffer.alloc(32, fill);
const signer = createSecretBox([keyOf('a')]).signer('tests');

describe('a signed text', () => {
  test('opens to what was signed, whatever it was', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (payload) => {
        expect(signer.open(signer.sign(payload))).toEqual(Buffer.from(payload));
      }),
    );
  });

  test('does not open for another purpose, nor with another key; any key of the list opens it', () => {
    const token = signer.sign(Buffer.from('mine'));
    expect(
      createSecretBox([keyOf('a')])
        .signer('others')
        .open(token),
    ).toBeNull();
    expect(
      createSecretBox([keyOf('b')])
        .signer('tests')
        .open(token),
    ).toBeNull();
    const both = createSecretBox([keyOf('b'), keyOf('a')]).signer('tests');
    expect(both.open(token)?.toString()).toBe('mine');
    expect(signer.open(both.sign(Buffer.from('new')))).toBeNull();
  });

  test('is never found by chance', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => signer.open(text) === null));
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => signer.open(Buffer.from(bytes).toString('base64url')) === null,
      ),
    );
  });
});

test('a link says of which file it is, to the last id there can be', () => {
  const links = createFileLinks({ signer, seconds: 1, now: () => new Date(0) });
  const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(id, id, id, (organisationId, svcCompanyId, documentSvcId) => {
      const storeKey = createFileKey(organisationId, svcCompanyId);
      const grant = { organisationId, svcCompanyId, documentSvcId, storeKey };
      const { token, expiresAt } = links.issue(grant);
      expect(links.open(token)).toEqual(grant);
      expect(token.length).toBeLessThan(200);
      expect(expiresAt).toEqual(new Date(1000));
    }),
  );
});
