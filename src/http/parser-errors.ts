import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';

import { ERROR_TABLE, type ErrorCode } from '../errors.js';
import type { Logger } from '../telemetry/log.js';
import { stringifyJson } from '../base/raw-json.js';

/** Time limit for a client to read the response and close its side. */
const LEAVE_MS = 5000;

interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

const WORDS: Readonly<Record<string, { readonly code: ErrorCode; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers-too-large', message: 'the headers are larger than 16 KB' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request-timeout',
    message:
      'the request did not arrive in time: the limit is 10 s for the headers and 30 s for the whole request',
  },
};

/**
 * Answers data that could not be parsed as a request, in the usual error format. If logged, its line has the format of
 * a request's.
 */
export function answerParserError(error: ParserError, socket: Socket, log: Logger | null): void {
  // The client has gone, or a response is already being sent.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { code, message } = WORDS[error.code ?? ''] ?? {
    code: 'invalid-params' as const,
    message: `this is not a valid HTTP request: ${error.reason ?? error.message}${hintFor(error)}`,
  };
  const { status } = ERROR_TABLE[code];
  const requestId = randomUUID();
  const body = bodyOf({ code, message, field: '' }, requestId);
  log?.info({ requestId, keyId: null, organisationId: null, route: null, status }, 'request');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\nx-request-id: ${requestId}\r\n\r\n${body}`,
  );
  // A client that has silently gone never does; closing the connection frees what its request holds.
  const patience = setTimeout(() => socket.destroy(), LEAVE_MS).unref();
  socket.once('close', () => clearTimeout(patience));
}

/** curl and others send what they are given. */
const hintFor = ({ code, reason = '' }: ParserError): string =>
  code === 'HPE_INVALID_URL' && reason.startsWith('Invalid char')
    ? '; characters beyond ASCII must be percent-encoded, as %C3%A9 for é'
    : '';

/** An `Expect` that is not 100-continue, which Node itself refuses with an empty body. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const message = 'the only supported expectation is 100-continue';
  const body = bodyOf({ code: 'expectation-failed', message, field: 'expect' }, requestId);
  response.writeHead(417, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  });
  response.end(body);
}

function bodyOf(
  error: { readonly code: ErrorCode; readonly message: string; readonly field: string },
  requestId: string,
): string {
  return stringifyJson({ error, request_id: requestId });
}
