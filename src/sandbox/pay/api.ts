import type { PlatformApi } from '../gate/platform-api.js';
import { presentPayFailure } from './failures.js';
import { list, listEvents, read, readAccount, readEvent } from './read.js';
import { create, removeCustomer, update } from './write.js';

/** SVC Sandbox Pay. */
export const PAY: PlatformApi = {
  platform: 'payments',
  routes: [
    ['GET', '/v1/account', readAccount],
    ['GET', '/v1/events', listEvents],
    ['GET', '/v1/events/:id', readEvent],
    ['GET', '/v1/:kind', list],
    ['GET', '/v1/:kind/:id', read],
    ['POST', '/v1/:kind', create],
    ['POST', '/v1/:kind/:id', update],
    ['DELETE', '/v1/customers/:id', removeCustomer],
  ],
  presentFailure: presentPayFailure,
};
