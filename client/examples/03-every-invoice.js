// All invoices, page after page: what is still due.
import { accountingCompany, client } from './service.js';

const { svc_id } = await accountingCompany();
let count = 0;
let due = 0;
const query = { svc_company_id: { eq: svc_id }, amount_due: { gt: 0 } };
for await (const invoice of client.list('/v3/accounting/invoices', { query })) {
  count += 1;
  due += invoice.amount_due ?? 0;
}
console.log(`${count} invoices are open, ${due.toFixed(2)} is due`);
