// A write that happens once, however often it is sent. Without a key of its own the client makes one for each call.
import { accountingCompany, client } from './service.js';

const { svc_id } = await accountingCompany();
const write = () =>
  client.post('/accounting/contacts', {
    body: { company_id: svc_id, data: [{ name: 'Example customer', contact_type: 'CUSTOMER' }] },
    idempotencyKey: `example-${svc_id}-customer`,
  });
const first = await write();
const again = await write();
const [item] = first.data.data;
console.log(first.data.status, item?.response?.name ?? item?.error?.message ?? '');
console.log(`the same write: ${first.data.upload_job_id === again.data.upload_job_id}`);
