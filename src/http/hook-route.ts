import type { FastifyInstance } from 'fastify';

import type { Database } from '../db/database.js';
import { receiveHook } from '../operations/integrations/receive-hook.js';
import type { SecretBox } from '../secrets/secret-box.js';

export interface HookOptions {
  readonly database: Database;
  readonly secrets: SecretBox;
}

/** Where platforms tell of changes. The signature over the body, as it came, is the permission. */
export function serveHooks(server: FastifyInstance, services: HookOptions): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.post<{ Params: { token: string } }>('/hooks/:token', async (request, reply) => {
    const { headers, params } = request;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const receipt = await receiveHook(services, params.token, { headers, body });
    // Whether there is such a token is not told; Xero wants no body in any answer.
    if (!receipt) return reply.code(401).send();
    request.log.info(receipt, 'a platform told of changes');
    return reply.code(200).send();
  });
}
