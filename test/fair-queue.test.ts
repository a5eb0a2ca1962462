import { describe, expect, test } from '@jest/globals';
import { type Claimant, FairQueue } from '../src/base/fair-queue.js';

const key = (organisationId: number, keyId = 'key'): Claimant => ({ organisationId, keyId });
const [acme, other, third] = [key(1), key(2), key(3)];

/** A queue that tells what has begun, by names. */
function openQueue(options: { places?: number; perOrganisation?: number; maxWaiting?: number } = {}) {
  const begun: string[] = [];
  const queue = new FairQueue({
    places: 4,
    perOrganisation: 3,
    maxWaiting: 100,
    what: 'requests',
    ...options,
  });
  const ask = (claimant: Claimant, name: string) => queue.enter(claimant, () => begun.push(name) > 0);
  return { queue, ask, begun };
}

describe('places', () => {
  test('are all an organisation has alone, and one more is there for another', () => {
    const { ask, begun } = openQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask(acme, name);
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    ask(other, 'b1');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  test('go to the organisation that has the fewest, and of equals to the one that has gone without for longest', () => {
    const { queue, ask, begun } = openQueue();
    for (let index = 1; index <= 9; index += 1) ask(acme, `a${index}`);
    for (let index = 1; index <= 3; index += 1) ask(other, `b${index}`);
    ask(third, 'c1');
    expect(begun.splice(0)).toEqual(['a1', 'a2', 'a3', 'b1']);
    queue.leave(acme);
    queue.leave(acme);
    queue.leave(acme);
    // Of two that have one each, acme has gone without for longer.
    expect(begun.splice(0)).toEqual(['c1', 'a4', 'b2']);
    queue.leave(third);
    expect(begun.splice(0)).toEqual(['a5']);
    queue.leave(other);
    expect(begun.splice(0)).toEqual(['b3']);
  });

  test('of an organisation are shared by its keys in the same way', () => {
    const { queue, ask, begun } = openQueue({ places: 2, perOrganisation: 2 });
    const [busy, calm] = [key(1, 'busy'), key(1, 'calm')];
    for (let index = 1; index <= 5; index += 1) ask(busy, `busy${index}`);
    ask(calm, 'calm1');
    queue.leave(busy);
    expect(begun).toEqual(['busy1', 'busy2', 'calm1']);
  });

  test('are not taken by who has given up, nor by who is not there any more', () => {
    const { queue, ask, begun } = openQueue({ places: 1, perOrganisation: 1 });
    ask(acme, 'a1');
    const giveUp = ask(acme, 'a2');
    queue.enter(other, () => false);
    ask(acme, 'a3');
    expect(queue.waiting).toBe(3);
    giveUp?.();
    giveUp?.();
    expect(queue.waiting).toBe(2);
    queue.leave(acme);
    expect(begun).toEqual(['a1', 'a3']);
    queue.leave(acme);
    ask(other, 'b1');
    expect(begun).toEqual(['a1', 'a3', 'b1']);
    expect(queue.waiting).toBe(0);
  });
});

describe('too many that wait', () => {
  test('of one organisation are refused as its own doing, of all as that of the service', () => {
    const { ask } = openQueue({ places: 1, perOrganisation: 1, maxWaiting: 4 });
    ask(acme, 'a1');
    for (const name of ['a2', 'a3']) ask(acme, name);
    expect(() => ask(acme, 'a4')).toThrow(expect.objectContaining({ code: 'rate-limited' }));
    for (const name of ['b1', 'b2']) ask(other, name);
    expect(() => ask(third, 'c1')).toThrow(expect.objectContaining({ code: 'service-unavailable' }));
  });
});
