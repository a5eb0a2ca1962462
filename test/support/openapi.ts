import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { packagePath } from '../../src/package-path.js';

export type Schema = Readonly<Record<string, any>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

/** An operation of the document, with references to parameters and responses resolved. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** By status, then by content type. */
  readonly answers: ReadonlyMap<number, Readonly<Record<string, Schema>>>;
  /** Documented bodies of the request and the response. */
  readonly examples: { readonly request?: unknown; readonly answer?: unknown };
}

export const openApi: Schema = JSON.parse(readFileSync(packagePath('docs/openapi.json'), 'utf8'));

export function resolve(value: Schema): Schema {
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  return resolve(
    reference
      .split('/')
      .slice(1)
      .reduce((found: any, key) => found[key], openApi),
  );
}

export const operations: readonly Operation[] = Object.entries<Schema>(openApi['paths']).flatMap(
  ([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) => {
      const json = operation['requestBody']?.content['application/json'];
      const responses = Object.entries<Schema>(operation['responses']).map(([status, given]) => {
        const content: Record<string, Schema> = resolve(given)['content'] ?? {};
        const schemas = Object.entries(content).map(([type, one]) => [type, one['schema']]);
        return [Number(status), Object.fromEntries(schemas)] as const;
      });
      return {
        id: operation['operationId'],
        summary: operation['summary'],
        description: operation['description'] ?? '',
        method: method.toUpperCase(),
        path,
        scopes: operation['security'][0]?.api_key ?? [],
        parameters: (operation['parameters'] ?? []).map(resolve),
        body: json?.schema ?? null,
        answers: new Map(responses),
        examples: {
          request: json?.examples?.documented.value,
          answer: operation['responses'][200].content['application/json']?.examples?.documented.value,
        },
      };
    }),
);

// Checking few values takes less time than making their validators fast.
const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(closed({ $id: 'openapi', components: { schemas: openApi['components'].schemas } }));
const validators = new Map<Schema, ValidateFunction>();
/** By text: thousands of errors are described alike. */
const compiled = new Map<string, ValidateFunction>();

/** Validates a value against a schema of the document, rejecting fields that no schema names; null if valid. */
export function problemOf(schema: Schema, value: unknown): string | null {
  let validate = validators.get(schema);
  if (!validate) {
    const absolute = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"openapi#/components/');
    validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
    compiled.set(absolute, validate);
    validators.set(schema, validate);
  }
  return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'answer' });
}

function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const inner: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, closed(one)]),
  );
  const isObject = [inner['type']].flat().includes('object') && inner['properties'] !== undefined;
  return (isObject ? { additionalProperties: false, ...inner } : inner) as Value;
}
