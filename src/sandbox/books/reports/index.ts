import { badRequest, Failure } from '../../failure.js';
import type { ApiCall, ApiHandler } from '../../gate/platform-api.js';
import { json } from '../../http/reply.js';
import { fromBooksDay, moneyOf, toBooksDay } from '../values.js';
import { readLedger } from './ledger.js';
import { REPORTS, total } from './make.js';

const CURRENCY = 'AUD';

/** `GET /Reports/{name}`: a report computed from the entries in force. */
export const readReport: ApiHandler = async (call) => {
  const { report: name = '' } = call.params;
  const make = Object.hasOwn(REPORTS, name) ? REPORTS[name] : undefined;
  if (!make) throw new Failure('not-found', `there is no report "${name}"`);
  const [from, to] = [dayOf(call, 'from'), dayOf(call, 'to')];
  const { pool, locks } = call.context;
  const { key } = call.caller.account;
  await locks.settled(key);
  const { sections, results } = make({ ...(await readLedger(pool, key)), from, to });
  const presented = sections.map((section) => ({
    Name: section.name,
    Total: moneyOf(total(section), CURRENCY),
    Lines: section.lines.map(({ account, amount }) => ({
      AccountGuid: account?.Guid ?? null,
      AccountNumber: account?.Number ?? null,
      Title: account?.Title ?? 'Earnings',
      Amount: moneyOf(amount, CURRENCY),
    })),
  }));
  const own = Object.entries(results).map(([result, amount]) => [result, moneyOf(amount, CURRENCY)]);
  return json(200, {
    Report: {
      Name: name,
      From: toBooksDay(from),
      To: toBooksDay(to),
      Currency: CURRENCY,
      Sections: presented,
      Results: Object.fromEntries(own) as object,
    },
  });
};

function dayOf({ query }: ApiCall, name: 'from' | 'to'): string {
  const text = query.get(name);
  const day = fromBooksDay(text ?? '');
  if (day !== null) return day;
  throw badRequest(name, `${name} must be a day such as 31.12.2026`);
}
