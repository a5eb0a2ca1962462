// The same data by GraphQL: an operation that comes with the client, and one of your own.
import { CompaniesDocument, typed } from '../dist/index.js';
import { client } from './service.js';

const { companies } = await client.graphql(CompaniesDocument, { first: 3 });
for (const { name, status } of companies.nodes) console.log(`${name}: ${status}`);

const latest = typed(`{
  invoices(first: 1, orderBy: [{ field: POSTED_DATE, direction: DESC }]) {
    nodes { documentNumber totalAmount contact { name } }
  }
}`);
const { invoices } = await client.graphql(latest);
for (const one of invoices.nodes)
  console.log(`latest invoice ${one.documentNumber}: ${one.totalAmount}, ${one.contact?.name}`);
