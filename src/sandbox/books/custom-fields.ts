import type { Fields } from './write/fields.js';

/** Custom fields that the customer has defined, by kind of object. */
const DEFINED = {
  Partners: [
    { Id: 'cf-1', Name: 'Region', Kind: 'choice', choices: ['North', 'South', 'East', 'West'] },
    { Id: 'cf-2', Name: 'Credit limit', Kind: 'number', choices: ['1000', '2500', '5000', '10000'] },
  ],
  Products: [
    { Id: 'cf-11', Name: 'Warehouse', Kind: 'text', choices: ['Main hall', 'Yard'] },
    { Id: 'cf-12', Name: 'Fragile', Kind: 'flag', choices: ['true', 'false'] },
  ],
  Documents: [
    { Id: 'cf-21', Name: 'Cost centre', Kind: 'choice', choices: ['Trade', 'Projects', 'Administration'] },
    { Id: 'cf-22', Name: 'Freight number', Kind: 'text', choices: ['F-2041', 'F-2057', 'F-2063', 'F-2080'] },
    { Id: 'cf-23', Name: 'Approved', Kind: 'flag', choices: ['true', 'false'] },
  ],
} as const;
type CustomisedKind = keyof typeof DEFINED;

/** A custom field with its value. */
export interface CustomField {
  readonly Id: string;
  readonly Name: string;
  readonly Kind: string;
  readonly Value: string | boolean | null;
}

export interface CustomFieldsHolder {
  readonly CustomFields?: readonly CustomField[];
}

const valueOf = (kind: string, text: string): string | boolean => (kind === 'flag' ? text === 'true' : text);

/** Custom fields of a generated object. Derived from its name, so that they are the same at every start. */
export function customFieldsOf(kind: CustomisedKind, name: string | null = null): CustomField[] {
  const digit = Buffer.from(name ?? '').reduce((sum, byte) => sum + byte, 0);
  return DEFINED[kind].map(({ Id, Name, Kind, choices }, place) => {
    const chosen = choices[(digit >> (2 * place)) % choices.length] ?? null;
    return { Id, Name, Kind, Value: chosen === null ? null : valueOf(Kind, chosen) };
  });
}

/** Custom fields of a body, matched by name; fields that the body does not name keep their values. */
export function readCustomFields(
  fields: Fields,
  kind: CustomisedKind,
  before: CustomFieldsHolder | null,
): CustomField[] {
  const given = new Map<string, Fields>();
  for (const field of fields.objects('CustomFields')) {
    field.ignore('Id', 'Kind');
    const name = field.requiredText('Name');
    if (DEFINED[kind].some((one) => one.Name === name)) given.set(name ?? '', field);
    else field.invalid('Name', `must be one of: ${DEFINED[kind].map((one) => one.Name).join(', ')}`);
  }
  return DEFINED[kind].map(({ Id, Name, Kind, choices }) => {
    const known = before?.CustomFields?.find((one) => one.Id === Id)?.Value ?? null;
    const field = given.get(Name);
    return { Id, Name, Kind, Value: field ? readValue(field, Kind, choices) : known };
  });
}

function readValue(field: Fields, kind: string, choices: readonly string[]): CustomField['Value'] {
  switch (kind) {
    case 'choice':
      return field.oneOf('Value', choices);
    case 'number':
      return field.decimal('Value')?.toFixed() ?? null;
    case 'flag': {
      const value = field.raw('Value');
      if (value === null || typeof value === 'boolean') return value;
      const word = field.oneOf('Value', ['true', 'false']);
      return word === null ? null : word === 'true';
    }
    default:
      return field.text('Value');
  }
}
