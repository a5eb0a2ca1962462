import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { cursorsOf } from '../../src/query/pages/cursor.js';
import { createOrder, type OrderInput } from '../../src/query/pages/order.js';
import { account } from '../../src/records/index.js';

const orderOf = (...input: OrderInput[]) => createOrder(account, input, 5);
const byId = createOrder(account, null, 5);
const byName = orderOf({ field: 'name', direction: 'DESC' });
const svcId = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

describe('a cursor', () => {
  test('gives back the position it was made from, nulls among them', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))),
        svcId,
        (name, id) => {
          const cursor = cursorsOf('accounts', byName).encode([name, id]);
          expect(encodeURIComponent(cursor)).toBe(cursor);
          expect(cursorsOf('accounts', byName).decode(cursor, 'after')).toEqual([name, id]);
        },
      ),
    );
  });

  test('of another list or another order is refused, saying so', () => {
    const cursor = cursorsOf('accounts', byId).encode([7]);
    expect(() => cursorsOf('contacts', byId).decode(cursor, 'after')).toThrow(
      'after is a cursor of another list',
    );
    expect(() => cursorsOf('accounts', byName).decode(cursor, 'before')).toThrow(
      'before is a cursor of another order',
    );
  });

  test('cut, changed or made up is refused or names a position, and never breaks anything else', () => {
    const cursors = cursorsOf('accounts', byName);
    const cursor = cursors.encode(['Cash', 7]);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'Az09_-.*~'), (place, letter) => {
        // What is left of a cut one could name another place.
        expect(() => cursors.decode(cursor.slice(0, place), 'after')).toThrow('after is not a valid cursor');
        const changed = cursor.slice(0, place) + letter + cursor.slice(place + 1);
        try {
          expect(cursors.decode(changed, 'after')).toHaveLength(2);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid-cursor', field: ['after'] });
        }
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => cursors.decode(text, 'after')).toThrow(/^after is /);
      }),
    );
  });

  test('does not take a null where the order has none', () => {
    const cursor = cursorsOf('accounts', byId).encode([null]);
    expect(() => cursorsOf('accounts', byId).decode(cursor, 'after')).toThrow('is not a valid cursor');
  });
});

describe('the cursor of a long text', () => {
  test.each(['x'.repeat(100_000), '😀'.repeat(5000), '\u0001"\\'.repeat(4000)])(
    'fits into an address, and says how the text begins',
    (name) => {
      const cursor = cursorsOf('accounts', byName).encode([name, 7]);
      expect(cursor.length).toBeLessThan(1000);
      const [text, svcId] = cursorsOf('accounts', byName).decode(cursor, 'after');
      const sum = createHash('sha256').update(name).digest('hex').slice(0, 8);
      expect({ text, svcId }).toEqual({ text: { start: expect.any(String), sum, svcId: 7 }, svcId: 7 });
      expect(name.startsWith((text as { start: string }).start)).toBe(true);
    },
  );
});

describe('an order', () => {
  test('ends with svc_id, in the direction of the last field', () => {
    expect(byId.key).toBe('svcId ASC');
    expect(byName.key).toBe('name DESC,svcId DESC');
  });

  test.each(['__proto__', 'constructor', 'rawData', 'nothing', 'currency'])('refuses %s', (field) => {
    expect(() => orderOf({ field, direction: 'ASC' })).toThrow(
      'orderBy names a field that cannot be sorted by',
    );
  });

  test('refuses a field named twice and more fields than the limit', () => {
    const name = { field: 'name', direction: 'ASC' } as const;
    expect(() => orderOf(name, name)).toThrow('orderBy[1].field is already in the order');
    const six = ['name', 'status', 'category', 'svcId', 'updatedAt', 'nominalCode'];
    expect(() => orderOf(...six.map((field) => ({ field, direction: 'ASC' as const })))).toThrow(
      'orderBy accepts at most 5 fields, got 6',
    );
  });
});
