import { type Address, address, corsOrigins, flag, hostName, integer, origins, webUrl } from './parsers.js';
import type { Variables } from './variables.js';

/** How the service is reached, and by whom. */
export interface ServerSettings {
  readonly port: number;
  readonly host: string;
  /** Public URL for end customers and platforms; null: the listening address. */
  readonly publicUrl: string | null;
  /** Separate address for health and metrics; null: metrics share the address of requests. */
  readonly metricsAddress: Address | null;
  /** Origins of pages that may call the service; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Origins of pages that may open WebSockets, beyond the service's own. */
  readonly allowedOrigins: readonly string[];
  /** Number of proxies in front: as many entries of X-Forwarded-For are trusted. */
  readonly trustProxy: number;
  /** Callers may enter addresses of this machine and of private networks, there without TLS. */
  readonly allowPrivateAddresses: boolean;
  /** Maximum concurrent requests of one organisation in a process, two more for all together; 0: no limit. */
  readonly requestsAtOnce: number;
  /** How long to report not ready before refusing requests. */
  readonly drainSeconds: number;
  readonly introspection: boolean;
  readonly playground: boolean;
  readonly jit: boolean;
}

/** Wildcard addresses: valid to listen on, not as a destination. */
const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '::', '::ffff:0:0']);
/** Addresses reachable only from this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export function readServer(variables: Variables, { production }: { production: boolean }): ServerSettings {
  const host = variables.read('HOST', hostName, '127.0.0.1');
  const publicUrl = variables.read<string | null>('PUBLIC_URL', webUrl, null);
  if (production && publicUrl === null && UNSPECIFIED.has(host)) {
    variables.refuse(
      `PUBLIC_URL is needed in production with HOST=${host}, which is an address nobody can open`,
    );
  }
  return {
    port: variables.read('PORT', integer(0, 65_535), 4000),
    host,
    publicUrl,
    metricsAddress: variables.read<Address | null>('METRICS_ADDRESS', address, null),
    corsOrigins: variables.read('CORS_ORIGINS', corsOrigins, []),
    allowedOrigins: variables.read('ALLOWED_ORIGINS', origins, []),
    trustProxy: variables.read('TRUST_PROXY', integer(0, 10), 0),
    allowPrivateAddresses: variables.read(
      'ALLOW_PRIVATE_ADDRESSES',
      flag,
      !production && LOOPBACK.test(host),
    ),
    requestsAtOnce: variables.read('REQUESTS_AT_ONCE', integer(0, 1000), 8),
    drainSeconds: variables.read('DRAIN_SECONDS', integer(0, 300), production ? 5 : 0),
    introspection: variables.read('INTROSPECTION', flag, !production),
    playground: variables.read('PLAYGROUND', flag, !production),
    jit: variables.read('GRAPHQL_JIT', flag, true),
  };
}
