// The schema as REST operations use it: enum values that callers send may be any text until an operation runs, where
// they are checked (`src/rest/words.ts`), so that errors name the REST parameter.
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
