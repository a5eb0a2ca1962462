import { pathOf } from '../../errors.js';
import { parseBoolean, parseDateTime, parseText } from '../../values.js';
import type { SyncSettingInput } from '../__generated__/documents.js';
import { listOf, type Parser, readBody, textList, whole } from '../request/body.js';

/** Settings as clients send them; access at the platform (`scope_access`) is not settable. */
export const syncConfig: Parser<SyncSettingInput[]> = listOf((value, field) => {
  const setting = readBody(value, ['category', 'data_model'], pathOf(field));
  return {
    category: setting.required('category', parseText),
    dataModel: setting.required('data_model', parseText),
    enabled: setting.optional('enabled', parseBoolean),
    frequency: setting.optional('frequency', parseText),
    interval: setting.optional('interval', whole),
    syncFrom: setting.optional('sync_from', parseDateTime),
    customFields: setting.optional('custom_fields', textList),
  };
});
