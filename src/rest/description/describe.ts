import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Limits } from '../../limits.js';
import type { KeyScope } from '../../operations/keys/api-keys.js';
import { inputSchema, type InputOptions, type NameFragment, selectedSchema } from './graphql-schemas.js';
import { type Fields, type JsonSchema, refTo } from './json-schema.js';
import type { QueryParameter } from './parameters.js';

/** A route's entry in the OpenAPI document, apart from its path. */
export interface RouteDescription {
  /** Unique name of the operation. */
  readonly id: string;
  /** Heading above the operation. */
  readonly group: Group;
  /** One line. */
  readonly summary: string;
  /** The GraphQL type or field that has its documentation: `Mutation.createWebhook`. */
  readonly documentation?: string;
  /** Text added to that documentation. */
  readonly description?: string;
  /** Scope that a key needs in addition to reading. */
  readonly scope?: KeyScope;
  readonly parameters?: readonly QueryParameter[];
  readonly body?: JsonSchema;
  /** The fields of the first may also be sent as a form, with a file. */
  readonly form?: JsonSchema;
  readonly answer: JsonSchema;
  /** Content types of the answer, where it is not JSON; `answer` is then the schema of each. */
  readonly types?: readonly string[];
  /** Whether an absent body counts as an empty one. */
  readonly isBodyOptional?: boolean;
  /** Whether it may ask a platform although it changes nothing. */
  readonly asksPlatform?: boolean;
  /** Headers of the answer beyond those of every answer. */
  readonly headers?: Fields;
  /** Whether answers have a tag for 304. */
  readonly isTagged?: boolean;
  /** Whether the header `Idempotency-Key` makes the request idempotent. */
  readonly isIdempotentByKey?: boolean;
}

/** Headings of the document, in order, with their descriptions. */
export const GROUPS = {
  Accounting: 'Records of accounting platforms.',
  Payments: 'Records of payment platforms.',
  Ecommerce: 'Records of shops.',
  Changes: 'Changes of records, in the order in which they became visible.',
  Writes: 'Results of writes, and write capabilities.',
  Companies: 'The customers that own the data.',
  Connecting:
    'Invite links, through which customers connect their platforms, and the apps used for connecting.',
  Syncs: 'Reads from platforms, and their jobs.',
  Platforms: 'Requests passed directly to a platform.',
  Webhooks: 'Webhooks and their deliveries.',
  Organisation: 'The audit trail.',
  Service: 'The process, its files and this document.',
} as const;
export type Group = keyof typeof GROUPS;

/** How a route gets the schemas for its description: from the operations that it runs. */
export class Describer {
  private readonly schemas = new Map<string, JsonSchema>();

  constructor(
    readonly schema: GraphQLSchema,
    readonly limits: Limits,
  ) {}

  /** Schema of an operation's answer at the response keys of `path`. */
  selected(document: DocumentNode, ...path: readonly string[]): JsonSchema {
    return selectedSchema(this.schema, document, { path, nameFragment: this.nameFragment });
  }

  /** The same, without a name of its own for what a fragment selects there. */
  inline(document: DocumentNode, ...path: readonly string[]): JsonSchema {
    let isWithin = false;
    const nameFragment: NameFragment = (name, make) => {
      if (isWithin) return this.nameFragment(name, make);
      isWithin = true;
      return make();
    };
    return selectedSchema(this.schema, document, { path, nameFragment });
  }

  /** The body that becomes the input of a mutation. */
  input(document: DocumentNode, options?: InputOptions): JsonSchema {
    return inputSchema(this.schema, document, options);
  }

  /** A named schema, created on first use. */
  component(name: string, make: () => JsonSchema): JsonSchema {
    if (!this.schemas.has(name)) {
      // The result may refer to itself.
      this.schemas.set(name, {});
      this.schemas.set(name, make());
    }
    return refTo(name);
  }

  /** The named schemas in use, by name. */
  components(): Fields {
    return Object.fromEntries([...this.schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Descriptions of a type and its fields, as GraphQL has them. */
  typeOf(model: string) {
    return this.schema.getType(model);
  }

  private readonly nameFragment: NameFragment = (name, make) => this.component(name, make);
}
