// What a platform would be sent, without sending it.
import { accountingCompany, client } from './service.js';

const { svc_id } = await accountingCompany();
const { data } = await client.post('/accounting/contacts', {
  body: { company_id: svc_id, dry_run: true, data: [{ name: 'Planned Pty Ltd', contact_type: 'CUSTOMER' }] },
});
const [item] = data.data;
console.log(
  data.status,
  item?.status,
  item?.request?.method,
  item?.request?.path,
  item?.error?.message ?? '',
);
