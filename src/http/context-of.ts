import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';

/** Makes what a request's resolvers work with. */
export type ContextOf = (request: FastifyRequest, reply: FastifyReply) => Context;
