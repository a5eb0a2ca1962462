import type { PlatformApi } from '../gate/platform-api.js';
import { presentPayFailure } from './failures.js';
import { list, listEvents, read, readAccount, readEvent } from './read.js';

/** SVC Sandbox Pay. */
export const PAY: PlatformApi = {
  platform: 'payments',
  routes: [
    ['GET', '/v1/account', readAccount],
    ['GET', '/v1/events', listEvents],
    ['GET', '/v1/events/:id', readEvent],
    ['GET', '/v1/:kind', list],
    ['GET', '/v1/:kind/:id', read],
  ],
  presentFailure: presentPayFailure,
};
