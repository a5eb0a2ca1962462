import {
  BREAK,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  type ValueNode,
  valueFromAST,
  type VariableDefinitionNode,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/** An argument literal with variables inside, `{ name: { eq: $name } }`, and the variable that replaces it. */
export interface WrittenArgument {
  readonly variable: string;
  readonly value: ValueNode;
  readonly type: GraphQLInputType;
}

interface PlainDocument {
  readonly document: DocumentNode;
  readonly written: readonly WrittenArgument[];
}

/**
 * A document for graphql-jit, with variables typed as unchecked JSON: graphql-jit inlines the check of an input type,
 * endlessly for recursive ones such as filters. It also turns a missing variable inside an argument into null, where
 * graphql-js omits the field: such arguments become variables as a whole.
 */
export function withPlainVariables(schema: GraphQLSchema, document: DocumentNode): PlainDocument {
  const written: WrittenArgument[] = [];
  const info = new TypeInfo(schema);
  const plain: DocumentNode = visit(
    document,
    visitWithTypeInfo(info, {
      Argument: (argument) => {
        const { value } = argument;
        const type = info.getInputType();
        if (value.kind === Kind.VARIABLE || !type || !holdsVariable(value)) return undefined;
        // The space rules out a clash with a caller's variable.
        const variable = `argument ${written.length}`;
        written.push({ variable, value, type });
        return { ...argument, value: variableOf(variable) };
      },
    }),
  );
  const more = written.map(({ variable }) => definitionOf(variableOf(variable)));
  const withDefinitions: DocumentNode = visit(plain, {
    OperationDefinition: (operation) => {
      const own = (operation.variableDefinitions ?? []).map(({ variable }) => definitionOf(variable));
      return { ...operation, variableDefinitions: [...own, ...more] };
    },
  });
  return { document: withDefinitions, written };
}

/** The caller's variables with those that replace arguments; null if one of these does not fit its type. */
export function withWritten(written: readonly WrittenArgument[], variables: Variables): Variables | null {
  if (written.length === 0) return variables;
  const all: Record<string, unknown> = { ...variables };
  for (const { variable, value, type } of written) {
    const made = valueFromAST(value, type, variables);
    if (made === undefined) return null;
    all[variable] = made;
  }
  return all;
}

function holdsVariable(value: ValueNode): boolean {
  let found = false;
  visit(value, {
    Variable: () => {
      found = true;
      return BREAK;
    },
  });
  return found;
}

const variableOf = (name: string): VariableNode => ({
  kind: Kind.VARIABLE,
  name: { kind: Kind.NAME, value: name },
});

const definitionOf = (variable: VariableNode): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable,
  type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } },
});
