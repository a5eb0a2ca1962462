import { expect, test } from '@jest/globals';
import { rowReaderOf } from '../../src/db/rows/row-reader.js';

const BIGINT = 20;
const TEXT = 25;
const TIMESTAMPTZ = 1184;

const column = (name: string, dataTypeID: number) => ({ name, dataTypeID });

test('a row has every column by its type, in their order, and nulls as they are', () => {
  const read = rowReaderOf('SELECT a', [
    column('svcId', BIGINT),
    column('name', TEXT),
    column('svcCreatedAt', TIMESTAMPTZ),
    column('memo', TEXT),
  ]);
  const row = read?.(['12', `a "quoted" name`, '2026-01-02 03:04:05+00', null]);
  expect(row).toEqual({
    svcId: 12,
    name: `a "quoted" name`,
    svcCreatedAt: '2026-01-02T03:04:05.000Z',
    memo: null,
  });
  expect(Object.keys(row ?? {})).toEqual(['svcId', 'name', 'svcCreatedAt', 'memo']);
});

test('a statement whose columns changed is read by the new ones', () => {
  const text = 'SELECT * FROM b';
  expect(rowReaderOf(text, [column('a', TEXT)])?.(['1'])).toEqual({ a: '1' });
  expect(rowReaderOf(text, [column('a', BIGINT)])?.(['1'])).toEqual({ a: 1 });
  expect(rowReaderOf(text, [column('b', BIGINT)])?.(['1'])).toEqual({ b: 1 });
  expect(rowReaderOf(text, [column('b', BIGINT), column('c', TEXT)])?.(['1', '2'])).toEqual({ b: 1, c: '2' });
});

test('a name that is more than a word is not written into code', () => {
  expect(rowReaderOf('SELECT c', [column('a"', TEXT)])).toBeNull();
  expect(rowReaderOf('SELECT d', [column('__proto__', TEXT)])).toBeNull();
});
