import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { createSecretBox, parseSecretKey, randomSecretKey } from '../../src/secrets/secret-box.js';

const keyOf = (fill: string) => Buffer.alloc(32, fill);
const place = { table: 'integrations', row: 'XERO', column: 'client_secret', organisationId: 1 };
const box = createSecretBox([keyOf('a')]);

describe('a sealed secret', () => {
  test('opens to what it was, and is never twice the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealed = box.seal(text, place);
        expect(box.open(sealed, place)).toBe(text);
        expect(box.seal(text, place)).not.toBe(sealed);
      }),
    );
  });

  test.each([
    ['another row', { ...place, row: 'QUICKBOOKS' }],
    ['another column', { ...place, column: 'client_id' }],
    ['another table', { ...place, table: 'webhooks' }],
    ['another organisation', { ...place, organisationId: 2 }],
  ])('does not open in %s', (_title, elsewhere) => {
    expect(() => box.open(box.seal('secret', place), elsewhere)).toThrow();
  });

  test('does not open when any character of it was changed', () => {
    const sealed = box.seal('secret', place);
    for (let index = 0; index < sealed.length; index += 1) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      // The last character of base64url may hold bits that no byte has.
      if (
        Buffer.from(changed.split(':')[2] ?? '', 'base64url').equals(
          Buffer.from(sealed.split(':')[2] ?? '', 'base64url'),
        ) &&
        changed.split(':')[1] === sealed.split(':')[1] &&
        changed.startsWith('v1')
      )
        continue;
      expect(() => box.open(changed, place)).toThrow();
    }
  });

  test('opens by any key of the list; the first one seals', () => {
    const old = box.seal('secret', place);
    const both = createSecretBox([keyOf('b'), keyOf('a')]);
    expect(both.open(old, place)).toBe('secret');
    const renewed = both.seal('secret', place);
    expect(createSecretBox([keyOf('b')]).open(renewed, place)).toBe('secret');
    expect(() => box.open(renewed, place)).toThrow('no key opens integrations.client_secret');
  });
});

describe('a key', () => {
  test('is 32 bytes in base64', () => {
    expect(parseSecretKey(randomSecretKey())).toHaveLength(32);
    for (const text of ['', 'short', Buffer.alloc(31).toString('base64'), 'x'.repeat(44)]) {
      expect(parseSecretKey(text)).toBeNull();
    }
  });
});
