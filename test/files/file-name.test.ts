import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { attachmentHeader, safeFileName } from '../../src/files/file-name.js';

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '.',
      '/',
      '\\',
      '\0',
      '\r',
      '\n',
      '\u202e',
      '"',
      ';',
      '%',
      "'",
      'a',
      'é',
      '\ud800',
      '\uff0f',
      '\ufe68',
      '\uff02',
      '\u2026',
    ),
  }),
);

test('no name is a path, has what cannot be seen, or begins or ends with a dot', () => {
  fc.assert(
    fc.property(anything, (name) => {
      const safe = safeFileName(name);
      expect(safe).not.toBe('');
      expect([...safe].length).toBeLessThanOrEqual(150);
      expect(safe).not.toMatch(/[/\\<>:"|?*\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^[.\s]|[.\s]$/u);
    }),
    { numRuns: 2000 },
  );
});

test('the header is ASCII of one form, and its second name decodes to the name', () => {
  fc.assert(
    fc.property(anything, (name) => {
      const header = attachmentHeader(name);
      const match =
        /^attachment; filename="(?![. ])[^"\\/%;\x00-\x1f\x7f-\uffff]+"; filename\*=UTF-8''([\w.~!%-]+)$/.exec(
          header,
        );
      expect(decodeURIComponent(match?.[1] ?? '')).toBe(safeFileName(name));
    }),
    { numRuns: 2000 },
  );
});

test('a long name keeps its ending', () => {
  expect(safeFileName(`${'long '.repeat(100)}.pdf`)).toMatch(/^.{146}\.pdf$/);
  expect(safeFileName(`a.${'x'.repeat(300)}`)).toHaveLength(150);
});
