import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { TLSSocket } from 'node:tls';
import { Agent, buildConnector, Dispatcher } from 'undici';

import { type AddressKind, addressKind } from './address-kind.js';
import { carefulLookup, isAnswered, type Lookup } from './careful-lookup.js';
import { type AddressRules, isAllowed, literalOf } from './typed-address.js';

interface GuardOptions extends AddressRules {
  readonly connectTimeoutMs: number;
  readonly lookup?: Lookup;
  readonly kindOf?: (address: string) => AddressKind;
}

/** Reason why there is no connection. `certificate`: a public server's certificate is not valid for the name. */
type Unconnected = 'certificate' | 'other';

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
  readonly #kindOf: (address: string) => AddressKind;
  readonly #unconnected = new WeakMap<Error, Unconnected>();

  constructor({ connectTimeoutMs, lookup = SYSTEM_LOOKUP, kindOf = addressKind, ...rules }: GuardOptions) {
    super();
    this.#rules = rules;
    this.#kindOf = kindOf;
    const agentOf = (protocol: Protocol) =>
      new Agent({
        // No limit on sockets per host: other callers' requests would wait behind hanging ones, and callers limit their
        // own. `autoSelectFamily` makes it look up all addresses of a name and try those returned.
        connect: this.#noting(
          buildConnector({
            timeout: connectTimeoutMs,
            autoSelectFamily: true,
            lookup: guardLookup(lookup, (address) => isAllowed({ protocol }, kindOf(address), rules)),
          }),
        ),
      });
    this.#agents = { 'https:': agentOf('https:'), 'http:': agentOf('http:') };
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const url = new URL(String(options.origin));
    // A literal address needs no lookup. One that was allowed when typed in may be no longer.
    const literal = literalOf(url);
    if (literal !== null && !isAllowed(url, this.#kindOf(literal), this.#rules)) throw new Error('refused');
    return this.#agents[url.protocol === 'http:' ? 'http:' : 'https:'].dispatch(options, handler);
  }

  /** Why a request failed before there was a connection for it; null if there was one, or it was refused. */
  whyUnconnected(error: Error): Unconnected | null {
    return this.#unconnected.get(error) ?? null;
  }

  /** A connector that notes why it failed. */
  #noting(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      let kind: AddressKind | null = null;
      // It returns the socket, although its type does not say so.
      const socket = connect(options, (...[error, made]) => {
        if (error === null) return callback(null, made);
        const isUntrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError);
        this.#unconnected.set(error, isUntrusted && kind === 'public' ? 'certificate' : 'other');
        callback(error, null);
      }) as unknown;
      if (socket instanceof TLSSocket) {
        socket.once('connect', () => {
          if (socket.remoteAddress !== undefined) kind = this.#kindOf(socket.remoteAddress);
        });
      }
      return socket as ReturnType<buildConnector.connector>;
    };
  }

  override async close(): Promise<void> {
    await Promise.all(Object.values(this.#agents).map((agent) => agent.close()));
  }

  override async destroy(): Promise<void> {
    await Promise.all(Object.values(this.#agents).map((agent) => agent.destroy()));
  }
}

function guardLookup(lookup: Lookup, isFine: (address: string) => boolean) {
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
