import { records, recordTypeOf, type RecordDefinition } from '../records/index.js';
import { expandable } from '../rest/shape.js';
import { namesOf, operatorNames } from '../rest/request/names.js';
import { writtenTypes } from '../operations/integrations/capabilities.js';
import { ToolRefusal } from './call.js';
import type { PlannedWrite } from './confirmation.js';

/** The record type of a data model. Throws if there is none. */
export function requireType(dataModel: string): RecordDefinition {
  const definition = recordTypeOf(dataModel.toUpperCase());
  if (definition) return definition;
  const known = records.map((one) => one.dataModel).join(', ');
  throw new ToolRefusal('invalid-params', `data_model must be one of ${known}`, 'data_model');
}

/** The record type to write. Throws if no platform takes that. */
export function requireWritten(dataModel: string, operation: PlannedWrite['operation']): RecordDefinition {
  const name = dataModel.toUpperCase();
  const written = writtenTypes();
  const nameAll = (types: typeof written) => types.map(({ definition }) => definition.dataModel).join(', ');
  const found = written.find(({ definition }) => definition.dataModel === name);
  if (!found) {
    const choice = `data_model must be one of ${nameAll(written)}`;
    const message = recordTypeOf(name) ? `${name} cannot be written: ${choice}` : choice;
    throw new ToolRefusal('invalid-params', message, 'data_model');
  }
  if (operation === 'UPDATE' && !found.isUpdated) {
    const updated = nameAll(written.filter(({ isUpdated }) => isUpdated));
    throw new ToolRefusal('invalid-params', `${name} cannot be updated, only ${updated}`, 'operation');
  }
  return found.definition;
}

/** Every record type in a line. */
export const listTypes = () => {
  const written = writtenTypes();
  return records.map((definition) => ({
    data_model: definition.dataModel,
    category: definition.category,
    can_be_written: written.some((one) => one.definition === definition),
    can_be_updated: written.some((one) => one.definition === definition && one.isUpdated),
  }));
};

/** One record type: its fields, how each may be filtered, and its relations. */
export function describeType(definition: RecordDefinition) {
  return {
    data_model: definition.dataModel,
    category: definition.category,
    fields: [...namesOf(definition).byWire.values()].map(({ field }) => ({
      name: field.wire,
      type: field.kind,
      ...(field.values ? { values: field.values } : {}),
      operators: operatorNames(field),
    })),
    relations: [...expandable(definition).keys()],
  };
}

/** Fields by which people identify a record. */
const NAMES = [
  'name',
  'contact_name',
  'document_number',
  'code',
  'nominal_code',
  'reference',
  'order_name',
  'memo',
  'description',
];

export const searchedFields = (definition: RecordDefinition): string[] =>
  NAMES.filter((name) => namesOf(definition).byWire.get(name)?.field.kind === 'text');
