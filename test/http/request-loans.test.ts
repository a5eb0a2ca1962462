import { expect, test } from '@jest/globals';
import {
  type Ask,
  type Counted,
  type Loan,
  RequestLoans,
  type Verdict,
} from '../../src/http/limits/request-loans.js';
import { until } from '../support/until.js';

const KEY: Counted = { organisationId: 1, keyId: 'key', max: 600 };

/** What the database does, with a clock of the test's own; counts the statements. */
function openLender() {
  const state = { now: 0, statements: 0, lent: 0, ends: 0, isAway: false };
  const borrow = async (asks: readonly Ask[]): Promise<Loan[]> => {
    state.statements += 1;
    if (state.isAway) throw new Error('away');
    return asks.map(({ max, wanted, givenBack, minuteEnd }) => {
      if (state.now >= state.ends) Object.assign(state, { ends: state.now + 60_000, lent: 0 });
      else if (minuteEnd === state.ends) state.lent -= givenBack;
      const loan = Math.max(0, Math.min(wanted, max - state.lent));
      state.lent += loan;
      const millisecondsLeft = state.ends - state.now;
      return { loan, lentInAll: state.lent, minuteEnd: state.ends, millisecondsLeft };
    });
  };
  return { state, open: () => new RequestLoans(borrow, () => state.now) };
}

const takeMany = (loans: RequestLoans, count: number): Promise<Verdict[]> =>
  Promise.all(Array.from({ length: count }, async () => loans.take(KEY)));
const admitted = (verdicts: readonly Verdict[]) => verdicts.filter(({ isAdmitted }) => isAdmitted).length;

test('processes admit together what one may, with a statement a second and not one a request', async () => {
  const { state, open } = openLender();
  const processes = [open(), open(), open(), open()];
  let count = 0;
  for (let second = 0; second < 20; second += 1) {
    for (const loans of processes) count += admitted(await takeMany(loans, 20));
    state.now += 1000;
  }
  expect(count).toBe(600);
  expect(state.statements).toBeLessThan(20 * 4 + 20);
  // The next minute begins with its first request.
  state.now += 60_000;
  expect(admitted(await takeMany(open(), 700))).toBe(600);
});

test('one request after the other needs fewer and fewer statements, and a refusal none', async () => {
  const { state, open } = openLender();
  const loans = open();
  for (let sent = 0; sent < 600; sent += 1) expect((await loans.take(KEY)).isAdmitted).toBe(true);
  expect(state.statements).toBeLessThan(10);
  const before = state.statements;
  const refused = await takeMany(loans, 50);
  expect(refused[0]).toEqual({ isAdmitted: false, remaining: 0, seconds: 60 });
  expect([admitted(refused), state.statements - before]).toEqual([0, 0]);
});

test('what remains is that of all processes', async () => {
  const { open } = openLender();
  const [one, two] = [open(), open()];
  expect((await one.take(KEY)).remaining).toBe(599);
  expect((await one.take(KEY)).remaining).toBe(598);
  // The ten that the first one has borrowed may be spent there.
  expect((await two.take(KEY)).remaining).toBe(589);
});

test('what was not spent in its second is lent to others', async () => {
  const { state, open } = openLender();
  const [idle, busy] = [open(), open()];
  await idle.take(KEY);
  state.now += 1000;
  await idle.take(KEY);
  expect(state.lent).toBe(1 + 10);
  expect(admitted(await takeMany(busy, 600))).toBe(589);
});

test('a process that is asked for nothing more gives back by itself', async () => {
  const { state, open } = openLender();
  const loans = open();
  await loans.take(KEY);
  expect(state.lent).toBe(10);
  state.now += 1000;
  await until('what it has left', () => state.lent === 1);
});

test('without its database a process admits what it is asked for', async () => {
  const { state, open } = openLender();
  const loans = open();
  state.isAway = true;
  expect(admitted(await takeMany(loans, 20))).toBe(20);
  state.now += 1000;
  state.isAway = false;
  expect((await loans.take(KEY)).isAdmitted).toBe(true);
});
