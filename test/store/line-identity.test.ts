import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { matchLines } from '../../src/store/line-identity.js';

const stored = (svcId: number, platformId: string, position: number, content: string) => ({
  svcId,
  platformId,
  position,
  content,
});

describe('a line that comes again', () => {
  test('is found by the platform id, wherever it moved', () => {
    const lines = [stored(1, 'a', 0, 'x'), stored(2, 'b', 1, 'y')];
    const matched = matchLines(lines, [
      { platformId: 'b', content: 'changed' },
      { platformId: 'a', content: 'x' },
    ]);
    expect(matched.map((line) => line?.svcId)).toEqual([2, 1]);
  });

  test('without an id is found by equal content, then by position', () => {
    const lines = [stored(1, 'doc:0', 0, 'x'), stored(2, 'doc:1', 1, 'y'), stored(3, 'doc:2', 2, 'z')];
    const matched = matchLines(lines, [
      { platformId: null, content: 'y' },
      { platformId: null, content: 'new' },
      { platformId: null, content: 'z' },
    ]);
    // `new` stands at position 1, whose line went to position 0: nothing is left there.
    expect(matched.map((line) => line?.svcId ?? null)).toEqual([2, null, 3]);
  });

  test('is not compared with all others, however many there are', () => {
    const count = 2000;
    let reads = 0;
    const known = Array.from(
      { length: count },
      (_, index) =>
        new Proxy(stored(index + 1, `doc:${index}`, index, 'x'), {
          get: (line, name) => {
            reads += 1;
            return Reflect.get(line, name) as unknown;
          },
        }),
    );
    for (const id of [null, 'another']) {
      const lines = known.map((_, index) => ({
        platformId: id && `${id}:${index}`,
        content: `new ${index}`,
      }));
      const matched = matchLines(known, lines);
      expect(matched.every((line, index) => line === (id === null ? known[index] : null))).toBe(true);
    }
    expect(reads).toBeLessThan(20 * count);
  });

  test('never shares a stored line with another', () => {
    const content = fc.constantFrom('x', 'y', 'z');
    const arrived = fc.array(fc.record({ platformId: fc.constantFrom(null, 'a', 'b', 'c'), content }));
    fc.assert(
      fc.property(fc.array(content), arrived, (contents, lines) => {
        const known = contents.map((text, index) =>
          stored(index + 1, 'abcdef'[index] ?? `n${index}`, index, text),
        );
        const ids = matchLines(known, lines).flatMap((line) => (line ? [line.svcId] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});
