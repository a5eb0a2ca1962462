import type { CustomFieldPlace } from '../../connectors/pull.js';
import { connectors } from '../../connectors/index.js';
import type { RecordDefinition } from '../../records/define.js';
import type { MappedField } from './mapped-fields.js';
import { parseRawPath } from './raw-path.js';

interface Place extends CustomFieldPlace {
  readonly integrationType: string;
}

const places = new Map<RecordDefinition, readonly Place[]>();

/** The places of a record type's custom fields in `raw_data`, by platform. */
function placesOf(definition: RecordDefinition): readonly Place[] {
  let found = places.get(definition);
  if (!found) {
    found = connectors.flatMap(({ integrationType, pulls }) =>
      pulls.flatMap((pull) =>
        pull.definition === definition && pull.customFields
          ? [{ integrationType, ...pull.customFields }]
          : [],
      ),
    );
    places.set(definition, found);
  }
  return found;
}

/** The custom fields of the row `t` as a JSON list. Contains no caller input. */
export function customFieldsSql(definition: RecordDefinition): string {
  const known = placesOf(definition).map(
    ({ integrationType, list, id, name, value, type }) =>
      `WHEN '${integrationType}' THEN svc_custom_fields(t.raw_data, '${list}', '${id}', '${name}', '${value}', '${type}')`,
  );
  const none = `'[]'::jsonb`;
  return known.length === 0 ? none : `CASE t.svc_integration_type ${known.join(' ')} ELSE ${none} END`;
}

/** Custom fields of a name as fields of filters: texts, at their place on each platform. */
export const customFieldsNamed = (definition: RecordDefinition, wanted: string): MappedField[] =>
  placesOf(definition).map(({ integrationType, list, name, value }) => ({
    svcId: 0,
    svcCompanyId: null,
    integrationType,
    dataModel: definition.dataModel,
    name: wanted,
    path: `${parseRawPath(list, 'list')}[*] ? (@.${JSON.stringify(name)} == ${JSON.stringify(wanted)}).${JSON.stringify(value)}`,
    type: 'TEXT',
    isIndexed: false,
  }));
