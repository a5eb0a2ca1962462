import type { FastifyInstance } from 'fastify';
import { beginSpan, type OpenSpan } from '../telemetry/traces.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if tracing is off. */
    span: OpenSpan | null;
  }
}

/** A span for each request, a child of the caller's, until its response is sent or its caller has gone. */
export function traceRequests(server: FastifyInstance): void {
  server.decorateRequest('span', null);
  server.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    const name = route === undefined ? request.method : `${request.method} ${route}`;
    const span = beginSpan(name, {
      kind: 'server',
      caller: request.headers,
      attributes: {
        'http.request.method': request.method,
        ...(route === undefined ? {} : { 'http.route': route }),
        'svc.request_id': request.id,
      },
    });
    if (!span) return done();
    request.span = span;
    reply.raw.once('close', () => {
      const { caller, tally } = request;
      const status = reply.raw.statusCode;
      span.set({
        'http.response.status_code': status,
        'svc.statements': tally.statements,
        ...(caller ? { 'svc.organisation_id': caller.scope.organisationId, 'svc.key_id': caller.id } : {}),
      });
      span.end({ failed: status >= 500 || !reply.raw.writableFinished });
    });
    return span.within(done);
  });
}

/** A queued request is started by the one before it: this restores its own trace context. */
export function resumeTraces(server: FastifyInstance): void {
  server.addHook('preHandler', (request, _reply, done) => {
    if (request.span) request.span.within(done);
    else done();
  });
}
