import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';

/** Creates the context of a request's resolvers. */
export type ContextOf = (request: FastifyRequest, reply: FastifyReply) => Context;
