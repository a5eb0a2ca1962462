import { type PushScheme } from '../../../push.js';
import { attachmentPush } from './attachments.js';
import { documentPushes } from './documents.js';
import { masterPushes } from './masters.js';
import { movementPushes } from './movements.js';
import { settingPushes } from './settings.js';

/** Supported writes. Books executes each key at most once within a day, and finds created objects by `Reference`. */
export const booksPush: PushScheme = {
  idempotencyKey: { in: 'header', name: 'idempotency-key', hours: 24 },
  resources: [...settingPushes, ...masterPushes, ...documentPushes, ...movementPushes, attachmentPush],
};
