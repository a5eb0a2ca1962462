import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { isSafeNumber, LosslessNumber, parse } from 'lossless-json';

import {
  parsePlatformJson,
  stringifyPlatformJson,
  wasAltered,
  withContext,
} from '../../src/connectors/values/platform-json.js';

const object = (text: string): object => {
  const { value } = parsePlatformJson(text);
  if (typeof value !== 'object' || value === null) throw new Error('the document must be an object');
  return value;
};

describe('parsePlatformJson', () => {
  test('gives an ordinary number where a double holds every digit', () => {
    expect(parsePlatformJson('{"a":12.5,"b":40.00,"c":-3}').value).toEqual({ a: 12.5, b: 40, c: -3 });
  });

  test.each(['12345678901234567890', '0.12345678901234567891', '9007199254740993', '1e400', '1e-400'])(
    'keeps the digits of %s',
    (digits) => {
      const { value } = parsePlatformJson(`[${digits}]`);
      expect(value).toEqual([new LosslessNumber(digits)]);
      expect(stringifyPlatformJson(value)).toBe(`[${digits}]`);
    },
  );

  test('replaces what PostgreSQL cannot store, in values and in names, and says so', () => {
    const parsed = parsePlatformJson('{"a\\u0000":"x\\u0000y","b":["\\ud83d"],"c":"\\ud83d\\ude00"}');
    expect(parsed.value).toEqual({ 'a\u{FFFD}': 'x\u{FFFD}y', b: ['\u{FFFD}'], c: '\u{1F600}' });
    expect(parsed.altered).toBe(true);
  });

  test('marks the objects that were altered and those around them, no others', () => {
    const document = object('{"list":[{"name":"a\\u0000"},{"name":"b"}]}') as { list: [object, object] };
    expect([document, ...document.list].map(wasAltered)).toEqual([true, true, false]);
  });

  test('takes a long document that repeats a name for altered, without a slow look', () => {
    const name = `"a":"${'x'.repeat(600_000)}"`;
    const { value, altered } = parsePlatformJson(`{"n":1.0,${name},${name},"long":12345678901234567890}`);
    expect(altered).toBe(true);
    expect(value).toMatchObject({ n: 1, long: new LosslessNumber('12345678901234567890') });
    expect(parsePlatformJson('{"a":1,"a":1}').altered).toBe(false);
  });

  test('leaves a document with whole surrogate pairs alone', () => {
    expect(parsePlatformJson('["\\ud83d\\ude00"]')).toEqual({ value: ['\u{1F600}'], altered: false });
  });

  test.each(['1e999999999', `${'9'.repeat(1001)}`])('makes text of an absurd number', (digits) => {
    expect(parsePlatformJson(`{"n":${digits}}`)).toEqual({ value: { n: digits }, altered: true });
  });

  test.each([501, 6000, 100_000])('replaces what is nested too deep in %i lists, and says where', (depth) => {
    const deep = '["]",{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);
    const odd = object(`{"list":[{"odd":${deep},"name":"a"},{"name":"b"}]}`) as { list: [object, object] };
    expect([odd, ...odd.list].map(wasAltered)).toEqual([true, true, false]);
    expect(odd.list[0]).toMatchObject({ odd: [']', { a: [']', expect.anything()] }], name: 'a' });
    const text = stringifyPlatformJson(odd);
    expect(text.length).toBeLessThan(4000);
    expect(parsePlatformJson(text)).toEqual({ value: odd, altered: false });
    expect(() => parsePlatformJson(`{"odd":${deep.slice(0, -1)}}`)).toThrow(SyntaxError);
  });

  test('leaves alone what is as deep as is stored', () => {
    const text = '['.repeat(500) + ']'.repeat(500);
    expect(parsePlatformJson(text).altered).toBe(false);
    expect(stringifyPlatformJson(parsePlatformJson(text).value)).toBe(text);
  });

  test('takes the last of two equal names, as JSON.parse does, and says so', () => {
    expect(parsePlatformJson('{"a":1,"a":2}')).toEqual({ value: { a: 2 }, altered: true });
  });

  test('finds a name twice wherever it is, and takes no text for one', () => {
    const name = fc.constantFrom('a', 'b', '":', 'a":1,"a', '\\', ':', '__proto__');
    const texts = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(name, fc.double({ noNaN: true, noDefaultInfinity: true })).map((one) => JSON.stringify(one)),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' , ')}]`),
        fc
          .array(fc.tuple(name, tie('value')), { maxLength: 3 })
          .map((pairs) => `{${pairs.map(([key, one]) => `${JSON.stringify(key)} :${one}`).join(',')}}`),
      ),
    })).value;
    fc.assert(
      fc.property(texts, (text) => {
        let repeated = false;
        const value = parse(text, undefined, {
          parseNumber: (digits) => (isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits)),
          onDuplicateKey: ({ newValue }) => {
            repeated = true;
            return newValue;
          },
        });
        expect(parsePlatformJson(text)).toEqual({ value, altered: repeated });
      }),
      { numRuns: 2000 },
    );
  });

  test('keeps a name that would be a prototype an ordinary name', () => {
    const value = object('{"__proto__":{"polluted":"\\u0000"}}');
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('polluted' in value).toBe(false);
  });

  test.each(['', '{', '{"a":1', '<html></html>', '{"a":NaN}', '[1,]', '{"a":"x'])('refuses %j', (text) => {
    expect(() => parsePlatformJson(text)).toThrow();
  });

  test('gives back every JSON document', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('\\u0000'));
        const { value: parsed, altered } = parsePlatformJson(text);
        expect(altered).toBe(false);
        expect(JSON.parse(stringifyPlatformJson(parsed))).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('withContext', () => {
  test('gives a copy with more on it, which stays marked as altered', () => {
    const option = object('{"Name":"\\u0000","Rate":0.12345678901234567891}') as Record<string, unknown>;
    const copy = withContext(option, { Category: 'region' });
    expect(stringifyPlatformJson(copy)).toBe(
      '{"Name":"\u{FFFD}","Rate":0.12345678901234567891,"Category":"region"}',
    );
    expect(wasAltered(copy)).toBe(true);
    expect(option).not.toHaveProperty('Category');
  });

  test('does not mark what was not altered', () => {
    expect(wasAltered(withContext({ Name: 'North' }, { Category: 'region' }))).toBe(false);
  });
});
