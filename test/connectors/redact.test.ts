import { describe, expect, test } from '@jest/globals';
import { stretched } from '../support/time.js';
import { redact } from '../../src/connectors/values/redact.js';

const TOKEN = 'sat_A/b+c.d-e=';

describe('a secret', () => {
  test.each([
    TOKEN,
    JSON.stringify(TOKEN).slice(1, -1),
    TOKEN.replaceAll('/', '\\/'),
    TOKEN.replaceAll('+', '\\u002b').replaceAll('=', '\\u003D'),
    encodeURIComponent(TOKEN),
    encodeURIComponent(TOKEN).toLowerCase(),
    [...TOKEN].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
  ])('written as %s is blacked out wherever it stands', (written) => {
    expect(redact(`{"a":"Bearer ${written}","b":["${written}"]}`, ['unknown token', TOKEN])).toBe(
      '{"a":"Bearer [redacted]","b":["[redacted]"]}',
    );
  });

  test('that is hardly one, or none, changes nothing', () => {
    expect(redact('any text', ['', 'any', 'a'])).toBe('any text');
  });

  test('is looked for fast in much that almost is one', () => {
    const text = 'sat_A/b+c.d-e'.repeat(500_000);
    const began = Date.now();
    expect(redact(text, [TOKEN])).toBe(text);
    expect(Date.now() - began).toBeLessThan(stretched(20_000));
  });
});
