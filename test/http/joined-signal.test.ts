import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { joinSignals } from '../../src/http/live/joined-signal.js';

const joinedWith = (): { early: AbortController; late: AbortController } & ReturnType<typeof joinSignals> => {
  const [early, late] = [new AbortController(), new AbortController()];
  return { early, late, ...joinSignals([early.signal, late.signal]) };
};

test.each(['early', 'late'] as const)('a joined signal is aborted with its %s one', (which) => {
  const joined = joinedWith();
  expect(joined.signal.aborted).toBe(false);
  joined[which].abort();
  expect(joined.signal.aborted).toBe(true);
});

test('a signal that is joined when it is aborted aborts at once', () => {
  expect(joinSignals([new AbortController().signal, AbortSignal.abort()]).signal.aborted).toBe(true);
});

test('one that has been left stays open, and leaves no trace with the others', () => {
  const { early, signal, leave } = joinedWith();
  leave();
  expect(getEventListeners(early.signal, 'abort')).toHaveLength(0);
  early.abort();
  expect(signal.aborted).toBe(false);
});
