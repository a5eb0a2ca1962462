import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.js';
import { AppError } from '../errors.js';
import type { Limits } from '../limits.js';
import { meters } from '../telemetry/meters.js';
import { type HookSender, receiveHook } from '../operations/integrations/receive-hook.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { receiveBody } from './bodies/receive-body.js';
import { HeldBytes } from './limits/held-bytes.js';
import { borrowFrom } from './limits/limit-requests.js';
import { RequestLoans } from './limits/request-loans.js';

interface HookOptions {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly limits: Limits;
}

/** Receives the platforms' webhooks. The signature over the raw body is the permission. */
export function serveHooks(server: FastifyInstance, { limits, ...services }: HookOptions): void {
  const max = limits.hooksPerMinute;
  const loans = new RequestLoans(borrowFrom(services.database.pool));
  // These requests need no key, so their bodies are counted apart from those of callers.
  const bodies = new HeldBytes(limits.heldBodyBytes);
  server.addHook('preParsing', (request, { raw }, payload, done) => {
    const held = bodies.open(request.address);
    request.held = held;
    raw.once('close', held.release);
    done(null, payload);
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { held } = request;
    if (!held) throw new Error('a body that is not counted');
    return receiveBody(request, payload, { max: limits.bodyBytes, held, reserves: false });
  });
  server.post<{ Params: { token: string } }>('/hooks/:token', async (request, reply) => {
    const { headers, params } = request;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    // Only signed requests count: knowing the URL does not suffice to exhaust a limit.
    const admit = async ({ organisationId, integrationType }: HookSender): Promise<void> => {
      if (max === 0) return;
      const { isAdmitted, seconds } = await loans.take({
        organisationId,
        keyId: `hooks of ${integrationType}`,
        max,
      });
      if (isAdmitted) return;
      meters.platformHooks.inc({ platform: integrationType, outcome: 'limited' });
      void reply.header('retry-after', String(seconds));
      throw new AppError('rate-limited', `more than ${max} requests to this address in a minute`);
    };
    const receipt = await receiveHook(services, params.token, { headers, body }, admit);
    // Does not reveal whether the token exists; Xero requires responses without a body.
    if (!receipt) {
      meters.platformHooks.inc({ platform: 'none', outcome: 'refused' });
      return reply.code(401).send();
    }
    meters.platformHooks.inc({ platform: receipt.integrationType, outcome: 'taken' });
    meters.platformEvents.inc({ platform: receipt.integrationType }, receipt.events);
    request.log.info(receipt, 'a platform reported changes');
    return reply.code(200).send();
  });
}
