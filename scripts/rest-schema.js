// The schema as the operations of REST meet it: words that callers send may be any text until an operation is run, where
// they are checked (`src/rest/words.ts`), so that the refusal names the parameter of REST.
import { readFileSync } from 'node:fs';

import { buildASTSchema, Kind, parse, visit } from 'graphql';

const CHECKED_WHEN_RUN = [
  'CompanyStatus',
  'DataModel',
  'HttpMethod',
  'IntegrationCategory',
  'IntegrationType',
  'RecordOperation',
  'StatementSource',
  'SyncFrequency',
  'WebhookType',
];

export default (path) =>
  buildASTSchema(
    visit(parse(readFileSync(path, 'utf8')), {
      EnumTypeDefinition: (type) =>
        CHECKED_WHEN_RUN.includes(type.name.value)
          ? { kind: Kind.SCALAR_TYPE_DEFINITION, name: type.name, description: type.description }
          : undefined,
    }),
  );
