/** Columns of bill payments with their types in the batch. */
const COLUMNS = {
  platform_id: 'text',
  platform_unique_id: 'text',
  raw_data: 'jsonb',
  data_hash: 'text',
  mapper_version: 'int',
  payment_id: 'text',
  bill_id: 'text',
  account_id: 'text',
  contact_id: 'text',
  currency_id: 'text',
  currency_code: 'text',
  currency_rate: 'numeric',
  amount: 'numeric',
  payment_mode: 'text',
  document_number: 'text',
  memo: 'text',
  payment_date: 'date',
  updated_at: 'timestamptz',
};
const NAMES = Object.keys(COLUMNS).join(', ');
const TYPES = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`);

const INSERT = `INSERT INTO bill_payments (svc_organisation_id, svc_company_id, connection_id, svc_integration_type,
    svc_created_at, svc_updated_at, ${NAMES})
  SELECT $1, $2, $3, 'XERO', now(), now(), ${NAMES} FROM jsonb_to_recordset($4::jsonb) AS r (${TYPES.join(', ')})`;

/** The batch as the text of a JSON array of rows. */
export function batchRows(records) {
  return JSON.stringify(
    records.map((record) => ({
      ...Object.fromEntries(Object.entries(record.values).map(([name, value]) => [wire(name), value])),
      platform_id: record.platformId,
      platform_unique_id: record.platformUniqueId,
      raw_data: JSON.parse(record.raw.text),
      data_hash: record.dataHash,
      mapper_version: record.mapperVersion,
    })),
  );
}

const wire = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Without a change log, a comparison with stored rows, or a lock. */
export async function bareInsert(client, { organisation, svcCompanyId, connectionId }, rows) {
  const values = [organisation, svcCompanyId, connectionId, rows];
  const { rowCount } = await client.query({ name: 'bare', text: INSERT, values });
  if (rowCount !== 1000) throw new Error(`the bare insert stored ${rowCount} rows`);
}
