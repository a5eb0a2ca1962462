import { type PushScheme } from '../../push.js';
import { documentPushes } from './documents.js';
import { masterPushes } from './masters.js';
import { movementPushes } from './movements.js';
import { settingPushes } from './settings.js';

/**
 * Supported writes. Xero documents the key's header but not how long keys are kept, so only a few minutes are assumed:
 * too short a time makes an operator check, too long a one causes duplicates.
 */
export const xeroPushes: PushScheme = {
  idempotencyKey: { in: 'header', name: 'idempotency-key', hours: 0.1 },
  resources: [...settingPushes, ...masterPushes, ...documentPushes, ...movementPushes],
};
