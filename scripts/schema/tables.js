// Tables in the code from which enums of the schema are derived. The sources are loaded directly, as a build needs
// types generated from the schema.
import { register } from 'node:module';
import { definitionsFrom, upper } from './ast.js';

/** What becomes of the same request, if it is sent again. */
const REPEATED = {
  true: 'The same request may succeed later',
  false: 'The same request fails again',
  'with-retry-after': 'The same request may succeed later if the response has a `Retry-After`',
  'with-key': 'Repeat it with the same `Idempotency-Key` only',
};

/** The enums of platforms, record types and error codes. */
export async function tableEnums() {
  register('./typescript-loader.js', import.meta.url);
  const [{ connectors }, { records }, { ERROR_TABLE }, { CAUSES }] = await Promise.all([
    import('../../src/connectors/index.js'),
    import('../../src/records/index.js'),
    import('../../src/errors.js'),
    import('../../src/graphql/error-codes.js'),
  ]);
  const platforms = new Map(
    connectors.map(({ integrationType, title }) => [integrationType, title]).reverse(),
  );
  return [
    ...enumOf('IntegrationType', 'A platform that companies can connect.', [...platforms].reverse()),
    ...enumOf(
      'DataModel',
      'A record type in syncs, webhooks and writes.',
      records.map(({ dataModel, list }) => [dataModel, upper(list.replace(/[A-Z]/g, ' $&').toLowerCase())]),
    ),
    ...enumOf(
      'ErrorCode',
      'Reason for an error: the code of REST and of `extensions.code` in capitals.',
      Object.entries(ERROR_TABLE).map(([code, { status, retry }]) => [
        code.toUpperCase().replaceAll('-', '_'),
        `\`${code}\`, HTTP status ${status}: ${CAUSES[code]}. ${REPEATED[String(retry)]}`,
      ]),
    ),
  ];
}

function enumOf(name, about, values) {
  const lines = values.map(([value, description]) => `  "${description}."\n  ${value}`);
  return definitionsFrom(`"${about}"\nenum ${name} {\n${lines.join('\n')}\n}`);
}
