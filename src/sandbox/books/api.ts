import { badRequest, Failure } from '../failure.js';
import type { PlatformApi } from '../gate/platform-api.js';
import { header } from '../http/call.js';
import { readContent } from './content.js';
import { presentBooksFailure } from './failures.js';
import { createBatch } from './write/batch.js';
import { addOption } from './write/dimensions.js';
import { create, remove, update } from './write/write.js';
import { countStock } from './write/count-stock.js';
import { upload } from './write/upload.js';
import { list, listAttachments, listIds, read, readOrganisation } from './read.js';
import { readReport } from './reports/index.js';

const BASE = '/api/2';

/** SVC Sandbox Books. */
export const BOOKS: PlatformApi = {
  platform: 'accounting',
  routes: [
    ['GET', `${BASE}/Organisation`, readOrganisation],
    ['GET', `${BASE}/Reports/:report`, readReport],
    ['GET', `${BASE}/Attachments/:guid/content`, readContent],
    ['GET', `${BASE}/:kind`, list],
    ['GET', `${BASE}/:kind/ids`, listIds],
    ['GET', `${BASE}/:kind/:guid`, read],
    ['GET', `${BASE}/:kind/:guid/Attachments`, listAttachments],
    ['POST', `${BASE}/DimensionOptions`, addOption],
    ['POST', `${BASE}/:kind`, create],
    ['POST', `${BASE}/:kind/Batch`, createBatch],
    ['PUT', `${BASE}/:kind/:guid`, update],
    ['DELETE', `${BASE}/:kind/:guid`, remove],
    ['POST', `${BASE}/Products/:guid/StockCount`, countStock],
    ['POST', `${BASE}/:kind/:guid/Attachments`, upload],
  ],
  checkCall: (call) => {
    const company = header(call, 'sandbox-company');
    if (company === null) throw badRequest('Sandbox-Company', 'the header Sandbox-Company is missing');
    if (company !== call.caller.account.id) {
      throw new Failure('account-not-granted', `the token is not for the company ${company}`);
    }
  },
  presentFailure: presentBooksFailure,
};
