// PostGraphile 5 over the same tables. Smart tags declare the relations, as records refer to each other by platform
// id.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { makeJSONPgSmartTagsPlugin } from 'postgraphile/utils';

const TABLES = {
  bills: 'bill_id',
  accounts: 'account_id',
  currencies: 'currency_id',
  contacts: 'contact_id',
};
const FIELDS = { bills: 'bill', accounts: 'account', currencies: 'currency', contacts: 'contact' };
/** The references of a table's rows; the reverse lists are named after the table. */
const references = (list, names) =>
  names.map(
    (name) =>
      `(svc_company_id, connection_id, ${TABLES[name]}) references ${name} (svc_company_id, connection_id, platform_id)` +
      `|@fieldName ${FIELDS[name]}|@foreignFieldName ${list}`,
  );
/** The unique index is not a constraint, and PostGraphile only looks at constraints. */
const UNIQUE = { unique: 'svc_company_id,connection_id,platform_id' };
const tagged = (list, names) => ({ tags: { ...UNIQUE, foreignKey: references(list, names) } });

const FILTERED = { tags: { behavior: '+condition:attribute:filterBy +attribute:filterBy +filterBy' } };

const url = new URL(process.env.DATABASE_URL);
url.searchParams.set('application_name', 'bench-postgraphile');

const preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [
    makeJSONPgSmartTagsPlugin({
      version: 1,
      config: {
        // Not indexed alone, so PostGraphile would leave it out of conditions.
        attribute: {
          'bill_payments.svc_deleted_at': FILTERED,
          'accounts.svc_deleted_at': FILTERED,
        },
        class: {
          bill_payments: tagged('billPayments', Object.keys(TABLES)),
          accounts: tagged('accounts', ['currencies']),
          bills: { tags: UNIQUE },
          contacts: { tags: UNIQUE },
          currencies: { tags: UNIQUE },
        },
      },
    }),
  ],
  pgServices: [
    makePgService({
      connectionString: url.href,
      schemas: ['public'],
      pubsub: false,
      poolConfig: { max: 10 },
    }),
  ],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
};

const server = createServer();
server.on('error', () => {});
await postgraphile(preset).createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
