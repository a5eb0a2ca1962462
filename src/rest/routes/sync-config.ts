import { pathOf } from '../../errors.js';
import { parseBoolean, parseDateTime, parseText } from '../../values.js';
import type { SyncSettingInput } from '../__generated__/documents.js';
import { meantBy } from '../data-models.js';
import { listOf, type Parser, readBody, textList, whole } from '../request/body.js';

/** Settings as clients send them; access at the platform (`scope_access`) is not settable. */
const settings: Parser<SyncSettingInput[]> = listOf((value, field) => {
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

/** The same, where the name of a part or a statement means its record types that have no setting of their own. */
export const syncConfig: Parser<SyncSettingInput[]> = (value, field) => {
  const given = settings(value, field);
  const own = new Map(given.map((one) => [one.dataModel.toUpperCase(), one]));
  const meant = given.map((one) =>
    meantBy([one.dataModel]).map((dataModel) => own.get(dataModel) ?? { ...one, dataModel }),
  );
  // Errors name a setting by its place: what is added comes last.
  return [...meant.flatMap(([first]) => first ?? []), ...meant.flatMap(([, ...others]) => others)];
};
