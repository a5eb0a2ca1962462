import type { FastifyInstance } from 'fastify';

import { CALLBACK_PATH, offeredAccounts } from '../../connect/authorization.js';
import { chooseOrRepeat, finishOrRepeat } from '../../connect/repeated.js';
import { type ConnectOptions, formOf, type LinkAnswers } from './link-answers.js';

/** Where the platform sends the browser back, and where it chooses accounts. */
export function serveCallback(server: FastifyInstance, options: ConnectOptions, answers: LinkAnswers): void {
  server.get(CALLBACK_PATH, async (request, reply) => {
    const callback = new URL(request.url, 'http://callback').searchParams;
    const opened = await answers.openByState(request, callback.get('state') ?? '');
    try {
      const services = { ...options, log: request.log };
      return await answers.goOn(reply, opened, await finishOrRepeat(services, opened.link, callback));
    } catch (error) {
      return answers.showFailure(request, reply, opened, error);
    }
  });

  /** The accounts chosen from a consent that covers several. */
  server.post(CALLBACK_PATH, async (request, reply) => {
    const form = formOf(request);
    const state = form.get('state') ?? '';
    const opened = await answers.openByState(request, state);
    const { link } = opened;
    const externalAccountIds = form.getAll('account');
    try {
      if (externalAccountIds.length === 0) {
        const offered = await offeredAccounts(options, link, state);
        const wrong = 'Choose one account at least.';
        return await answers.showAccounts(reply.code(400), opened, { ...offered, wrong });
      }
      const chosen = { state, externalAccountIds };
      const made = await chooseOrRepeat({ ...options, log: request.log }, link, chosen);
      return await answers.goOn(reply, opened, made);
    } catch (error) {
      return answers.showFailure(request, reply, opened, error);
    }
  });
}
