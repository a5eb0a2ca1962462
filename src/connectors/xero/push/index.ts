import { type PushScheme } from '../../push.js';
import { documentPushes } from './documents.js';
import { masterPushes } from './masters.js';
import { movementPushes } from './movements.js';
import { settingPushes } from './settings.js';

/**
 * What can be written to Xero. Its description names the key's header and no time that a key is kept: a few minutes are
 * counted on. Were that too short, an operator has to look; were it too long, something would be there twice.
 */
export const xeroPushes: PushScheme = {
  idempotencyKey: { in: 'header', name: 'idempotency-key', hours: 0.1 },
  resources: [...settingPushes, ...masterPushes, ...documentPushes, ...movementPushes],
};
