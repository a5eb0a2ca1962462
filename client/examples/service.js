// Where the examples send their requests: the demo of `npm start`, unless the environment says otherwise.
import { createClient } from '../dist/index.js';

export const client = createClient({
  url: process.env.SERVICE_URL ?? 'http://127.0.0.1:4000',
  apiKey: process.env.API_KEY ?? 'demo-key-for-the-readme-tour',
});

/** A company that has accounting data. */
export async function accountingCompany() {
  for await (const company of client.list('/v3/core/companies', { query: { categories: ['ACCOUNTING'] } })) {
    return company;
  }
  throw new Error('no company has connected an accounting platform');
}
