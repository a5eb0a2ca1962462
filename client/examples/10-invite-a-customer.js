// A page where a customer connects a platform; then what the company has.
import { client } from './service.js';

const { data } = await client.post('/v3/core/invite_links', {
  body: { company_name: 'Example Pty Ltd', integration_categories: ['ACCOUNTING'] },
});
console.log(`send this to ${data.company.name}: ${data.invite_link}`);
const company = await client.get('/v3/core/companies/{svc_id}', { params: { svc_id: data.company.svc_id } });
console.log(`${company.data.status}, ${company.data.connections.length} connections so far`);
await client.delete('/v3/core/invite_links/{id}', { params: { id: data.invite_link_id } });
