import type { ExternalLinkModel } from '../../db/__generated__/models.js';
import { defineLine } from '../define.js';
import { oneOf, text } from '../fields.js';
import { EXTERNAL_LINK_TYPES } from '../value-sets.js';

/** Reference G3, external link. */
export const externalLink = defineLine<ExternalLinkModel>()({
  model: 'ExternalLink',
  table: 'external_links',
  list: 'externalLinks',
  path: 'accounting/external_links',
  dataModel: 'EXTERNAL_LINKS',
  category: 'ACCOUNTING',
  fields: {
    link: text('link'),
    type: oneOf('type', EXTERNAL_LINK_TYPES),
  },
  rest: { metadata: ['svcId', 'platformId'] },
});
