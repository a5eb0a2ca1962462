import pg from 'pg';
import { listTargets } from './list.js';
import { COLUMNS, paymentsQuery } from './payments.js';

const MAPPINGS = [
  ['number', 'Number', 'NUMBER'],
  ['changed_at', 'UpdatedDateUTC', 'TIME'],
  ['link', 'Links[1]', 'TEXT'],
];
/** Fields requested in addition to W1, by target. */
const VARIANTS = {
  plain: '',
  'with fields': 'fields',
  'with raw data': 'rawData',
};

/** Ratios are to W1 without custom fields: `plain` has the mappings, too, but does not request the fields. */
export const fields = {
  title: 'W1 with three mapped fields, and with what they are read from, GraphQL',
  targets: async (bench) => {
    await makeMappings(bench.databaseUrl);
    const targets = [];
    for (const [name, more] of Object.entries(VARIANTS)) {
      const query = paymentsQuery({ columns: `${COLUMNS} ${more}` });
      const [, ours] = await listTargets(bench, {
        statement: 'payments',
        list: 'billPayments',
        size: 100,
        query,
      });
      targets.push({ ...ours, name, limit: 'plain', usual: undefined });
    }
    return targets;
  },
};

async function makeMappings(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const mapping of MAPPINGS) {
      await client.query(
        `INSERT INTO field_mappings (svc_organisation_id, integration_type, data_model, name, path, type)
         VALUES (1, 'XERO', 'BILL_PAYMENTS', $1, $2, $3) ON CONFLICT DO NOTHING`,
        mapping,
      );
    }
  } finally {
    await client.end();
  }
}
