import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { invalid } from '../errors.js';
import type { Limits } from '../limits.js';
import { requireScope } from '../operations/keys/require-scope.js';
import type { RestRoute } from '../rest/route.js';
import { acceptForms, receiveForm, type ReceivedForm } from './form-body.js';

/** Serves the REST path table. */
export async function serveRest(
  server: FastifyInstance,
  routes: readonly RestRoute[],
  contextOf: (request: FastifyRequest) => Context,
  limits: Limits,
): Promise<void> {
  const add = (to: FastifyInstance, route: RestRoute) =>
    to.route({
      method: route.method,
      url: route.path,
      ...(route.isLarge ? { bodyLimit: limits.largeBodyBytes } : {}),
      config: { isWrite: route.isLarge ?? false, ...(route.isUpload ? { tooLarge: LARGER_FILES } : {}) },
      handler: async (request, reply) => {
        refuseUndecodable(request.url);
        const context = contextOf(request);
        const form = route.isUpload && request.isMultipart() ? await formOf(request, context) : null;
        try {
          const {
            body,
            ignored,
            headers = {},
          } = await route.answer({
            requestId: request.id,
            receivedAt: request.receivedAt,
            query: request.query as Record<string, unknown>,
            params: request.params as Record<string, string>,
            body: form ? form.body : request.body,
            idempotencyKey: headerOf(request, 'idempotency-key'),
            context: form?.file ? { ...context, received: form.file } : context,
          });
          if (ignored?.length)
            void reply.header('x-svc-warning', `ignored: ${ignored.map(encodeURIComponent).join(', ')}`);
          void reply.headers(headers);
          return await reply.type('application/json; charset=utf-8').send(body);
        } finally {
          await form?.file?.discard();
        }
      },
    });
  for (const route of routes) if (!route.isUpload) add(server, route);
  await server.register(async (forms) => {
    await acceptForms(forms);
    for (const route of routes) if (route.isUpload) add(forms, route);
  });
}

const LARGER_FILES = '; a larger file goes as multipart/form-data, in the part file';

/** Nothing is received from who may not write. */
async function formOf(request: FastifyRequest, context: Context): Promise<ReceivedForm> {
  try {
    requireScope(context, 'write', 'write records');
  } catch (error) {
    request.raw.resume();
    throw error;
  }
  return receiveForm(request, context.files.store, context.limits);
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

/** What cannot be decoded would be taken as it is: a filter would look for the escapes. */
function refuseUndecodable(url: string): void {
  if (!url.includes('%')) return;
  for (const pair of url.slice(url.indexOf('?') + 1).split('&')) {
    try {
      decodeURIComponent(pair);
    } catch {
      const name = pair.split('=')[0]?.slice(0, 40) ?? '';
      throw invalid(name, 'is not percent-encoded UTF-8: a % itself is written %25');
    }
  }
}
