// One page of accounts: filtered, sorted, with their currency.
import { accountingCompany, client } from './service.js';

const { svc_id } = await accountingCompany();
const { data, total_count } = await client.get('/v3/accounting/accounts', {
  query: {
    limit: 5,
    svc_company_id: { eq: svc_id },
    category: { in: 'ASSET,BANK' },
    sort: { nominal_code: 'ASC' },
    expand: ['currency'],
    return_count: true,
  },
});
for (const one of data)
  console.log(one.nominal_code, one.name, one.current_balance, one.currency?.code ?? '');
console.log(`${data.length} of ${total_count} accounts`);
