import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { performance } from 'node:perf_hooks';

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Time after which a name whose servers have not answered counts as hanging. */
const ANSWER_MS = 3000;
/** A lookup that had to wait longer is given up: so is its request, soon. */
const WAIT_MS = 10_000;

const NO_ANSWER: ReadonlySet<unknown> = new Set(['ETIMEOUT', 'ECANCELLED', 'ESERVFAIL']);

/** Whether name servers have any answer for a name. Unlike a lookup, this takes no thread. */
export async function isAnswered(hostname: string): Promise<boolean> {
  if (/(^|\.)localhost$/i.test(hostname)) return true;
  const resolver = new Resolver({ timeout: ANSWER_MS / 2, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), ANSWER_MS);
  const asked = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(timer);
  return asked.every(
    (one) => one.status === 'fulfilled' || !NO_ANSWER.has((one.reason as NodeJS.ErrnoException).code),
  );
}

/**
 * A process can look up two names at a time, those of platforms and the database included, and for as long as ten seconds:
 * names that hang are looked up one at a time, and one that is asked for several times only once.
 */
export function carefulLookup(lookup: Lookup, answers: (hostname: string) => Promise<boolean>): Lookup {
  const running = new Map<string, Promise<LookupAddress[]>>();
  let last: Promise<unknown> = Promise.resolve();
  const find = (hostname: string) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
    );
  const findOrWait = async (hostname: string): Promise<LookupAddress[]> => {
    if (await answers(hostname)) return find(hostname);
    const since = performance.now();
    const found = last.then(() => {
      if (performance.now() - since > WAIT_MS) throw new Error('too many names that hang');
      return find(hostname);
    });
    last = found.catch(() => undefined);
    return found;
  };
  return (hostname, _options, callback) => {
    let found = running.get(hostname);
    if (!found) {
      found = findOrWait(hostname).finally(() => running.delete(hostname));
      running.set(hostname, found);
    }
    found.then(
      (addresses) => callback(null, addresses),
      (error: unknown) => callback(error as Error, []),
    );
  };
}
