import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { Agent, Dispatcher } from 'undici';

import { addressKind } from './address-kind.js';
import { carefulLookup, isAnswered } from './careful-lookup.js';
import { type AddressRules, isAllowed, literalOf } from './typed-address.js';

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

interface GuardOptions extends AddressRules {
  readonly connectTimeoutMs: number;
  readonly lookup?: Lookup;
}

/** One for all of a process, as its threads are. */
const SYSTEM_LOOKUP = carefulLookup(systemLookup, isAnswered);

type Protocol = 'https:' | 'http:';

/**
 * Sends requests to addresses given by users. Resolves a name once and connects to the addresses found, if all of them
 * are allowed: a DNS server cannot give one address to the check and another to the connection.
 */
export class GuardedDispatcher extends Dispatcher {
  readonly #agents: Readonly<Record<Protocol, Agent>>;
  readonly #rules: AddressRules;

  constructor({ connectTimeoutMs, lookup = SYSTEM_LOOKUP, ...rules }: GuardOptions) {
    super();
    this.#rules = rules;
    const agentOf = (protocol: Protocol) =>
      new Agent({
        // No maximum of sockets to a host: requests of others there would wait for those that hang. Callers limit theirs.
        // With this option it asks for all addresses of a name and tries those given.
        connect: {
          timeout: connectTimeoutMs,
          autoSelectFamily: true,
          lookup: guarded(lookup, (address) => isAllowed({ protocol }, addressKind(address), rules)),
        },
      });
    this.#agents = { 'https:': agentOf('https:'), 'http:': agentOf('http:') };
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const url = new URL(String(options.origin));
    // A literal address needs no lookup. One that was allowed when typed in may be no longer.
    const literal = literalOf(url);
    if (literal !== null && !isAllowed(url, addressKind(literal), this.#rules)) throw new Error('refused');
    return this.#agents[url.protocol === 'http:' ? 'http:' : 'https:'].dispatch(options, handler);
  }

  override async close(): Promise<void> {
    await Promise.all(Object.values(this.#agents).map((agent) => agent.close()));
  }

  override async destroy(): Promise<void> {
    await Promise.all(Object.values(this.#agents).map((agent) => agent.destroy()));
  }
}

function guarded(lookup: Lookup, isFine: (address: string) => boolean) {
  return (
    hostname: string,
    _options: unknown,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ) =>
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      return addresses.every(({ address }) => isFine(address))
        ? callback(null, addresses)
        : callback(new Error('an address that is refused'), []);
    });
}
