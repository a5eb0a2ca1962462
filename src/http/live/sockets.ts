import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { allowsOrigin } from '../cors.js';
import { withoutPrefix } from '../prefix.js';
import { CLOSE, createProtocol, type ProtocolOptions } from './socket-protocol.js';

interface SocketOptions extends ProtocolOptions {
  /** Origins of pages that may connect, beyond the service's own. */
  readonly allowedOrigins: readonly string[];
  /** Path prefix of every route. */
  readonly prefix: string;
}

/** Time limit for a client to answer a close. */
const LEAVE_MS = 1000;

/** GraphQL subscriptions over WebSocket at /graphql, by the protocol graphql-transport-ws. */
export function serveSockets(server: FastifyInstance, options: SocketOptions): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.limits.bodyBytes,
    handleProtocols,
  });
  const protocol = createProtocol(options);
  server.server.on('upgrade', (request, socket, head) => {
    if (!isForSockets(request, options.prefix)) {
      answerWithoutUpgrade(server, request, socket, head);
    } else if (!isAllowed(request, options)) {
      refuse(socket);
    } else {
      sockets.handleUpgrade(request, socket, head, (accepted) => protocol.open(accepted, request));
    }
  });
  server.addHook('preClose', () => {
    for (const socket of sockets.clients) socket.close(CLOSE.restart, 'Service Restart');
    sockets.close();
    setTimeout(() => sockets.clients.forEach((socket) => socket.terminate()), LEAVE_MS).unref();
  });
}

/** Node no longer listens to this socket nor closes it: an error without listener would end the process. */
function refuse(socket: Duplex): void {
  socket.on('error', () => undefined);
  socket.once('finish', () => socket.destroy());
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

/** An option of Node's server from version 24.9 on: other offers than WebSockets are ignored, and answered as any request. */
export const upgradesOnly = (prefix: string): object => ({
  shouldUpgradeCallback: (request: IncomingMessage) => isForSockets(request, prefix),
});

const isForSockets = ({ headers, url = '' }: IncomingMessage, prefix: string): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && withoutPrefix(url, prefix).split('?')[0] === '/graphql';

/**
 * Older versions of Node emit `upgrade` for any offered protocol, and stop reading the body. So the request is parsed
 * again without its upgrade headers.
 */
function answerWithoutUpgrade(
  server: FastifyInstance,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  lines.push('Connection: close', '', '');
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.server.emit('connection', socket);
}

/** Browsers send the page's origin; it must be the service's own or an allowed one. Other clients send none. */
function isAllowed({ headers }: IncomingMessage, options: SocketOptions): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const own = [`http://${host}`, `https://${host}`, new URL(options.publicUrl()).origin];
  return allowsOrigin([...own, ...options.allowedOrigins], origin);
}
