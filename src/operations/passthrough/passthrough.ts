import { connectorsOf } from '../../connectors/index.js';
import type { PlatformReply } from '../../connectors/platform.js';
import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import { isDeeper, RawJson } from '../../base/raw-json.js';
import { openPassthrough } from '../../platforms/access.js';
import { type Candidate, pickConnection } from '../connections/choose-connection.js';
import { CALLERS_BUDGET, sessionOf } from '../connections/reach-connection.js';
import { type GivenRequest, parsePassthrough, type PlatformRequest } from './passthrough-request.js';
import { requireCompany } from '../companies/require-company.js';
import { requireScope } from '../keys/require-scope.js';

interface Passthrough {
  readonly companyId: number;
  /** Absent: the first healthy one, accounting before others. */
  readonly connectionId?: number | null | undefined;
  readonly integrationType?: string | null | undefined;
  readonly data: GivenRequest;
}

/** The platform's response, whatever its status. */
interface PassedThrough {
  readonly connectionId: number;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null without a body. */
  readonly data: RawJson | null;
}

/**
 * Sends a caller's request to the platform of a connection. Throws `invalid-params`, `not-found`, `connection-expired`,
 * `conflict` if the integration is disabled, and a `platform-*` code only if the platform gave no readable response.
 */
export async function passThrough(context: Context, passthrough: Passthrough): Promise<PassedThrough> {
  requireScope(context, 'passthrough', 'send requests to platforms');
  if (passthrough.integrationType != null) connectorsOf(passthrough.integrationType);
  const request = parsePassthrough(passthrough.data);
  await requireCompany(context.client, passthrough.companyId, 'companyId');
  const connection = await pickConnection(context.client, passthrough);
  const { status, headers, text } = await sendLogged(context, passthrough.companyId, connection, request);
  return {
    connectionId: connection.svcId,
    status,
    headers: shownHeaders(headers),
    data: jsonOf(context, headers, text),
  };
}

/** Logs the caller, path and result; never a query, header or body. */
async function sendLogged(
  context: Context,
  companyId: number,
  connection: Candidate,
  request: PlatformRequest,
): Promise<PlatformReply> {
  const { limits, log } = context;
  const { svcId: connectionId, externalAccountId } = connection;
  const session = await sessionOf(context, companyId, connection);
  const platform = openPassthrough(session, externalAccountId, CALLERS_BUDGET);
  const began = Date.now();
  const { method, path } = request;
  const note = (outcome: object) => {
    const { keyId } = context.principal;
    const ms = Date.now() - began;
    log.info({ keyId, companyId, connectionId, method, path, ...outcome, ms }, 'passthrough');
  };
  try {
    const reply = await platform.send({
      ...request,
      timeoutMs: limits.passthroughMilliseconds,
      maxBytes: limits.passthroughBytes,
    });
    note({ status: reply.status, bytes: reply.size });
    return reply;
  } catch (error) {
    note({ status: null, bytes: 0, error: error instanceof AppError ? error.code : 'internal-error' });
    throw error;
  }
}

/** Headers for content, retries and the platform's request id; never cookies. */
const SHOWN_HEADERS = [
  /^(content-type|retry-after)$/,
  /^(x-)?rate-?limit(-.+)?$/,
  /^(.+-)?limit-(limit|remaining|reset|problem)$/,
  /^(.+-)?call-limit$/,
  /^x-(app)?(min|day)limit-remaining$/,
  /^(.+-)?(request|correlation)-?id$/,
  /^intuit_tid$/,
];

function shownHeaders(headers: PlatformReply['headers']): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) => SHOWN_HEADERS.some((one) => one.test(name)));
  // Characters that our response headers may contain.
  return Object.fromEntries(
    shown.map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, '?').slice(0, 500)]),
  );
}

/** The raw body if it is JSON, so that no digit is lost; else its text as a JSON string. */
function jsonOf({ limits }: Context, headers: PlatformReply['headers'], text: string): RawJson | null {
  if (text === '') return null;
  const asText = new RawJson(JSON.stringify(text));
  // Many platforms use another content type for JSON.
  const mayBeJson = /[/+]json\b/i.test(headers['content-type'] ?? '/json') || /^\s*[[{]/.test(text);
  if (!mayBeJson) return asText;
  if (isDeeper(text, limits.jsonDepth)) {
    throw new AppError(
      'platform-answer',
      `the platform's answer is nested deeper than ${limits.jsonDepth} levels`,
    );
  }
  try {
    JSON.parse(text);
  } catch {
    return asText;
  }
  return new RawJson(text);
}
