import type pg from 'pg';
import { authorizationPlace } from '../../connect/authorization-store.js';
import { webhookPlace } from '../../events/sealed-webhook.js';
import { clientSecretPlace, hookSecretPlace } from '../../platforms/client-credentials.js';
import { credentialPlace } from '../../platforms/credentials.js';
import { AppError } from '../../errors.js';
import type { SecretBox, SecretPlace } from '../../secrets/secret-box.js';

/** The owner's SQL access to the database: avoids loading Prisma at start. */
type Owner = Pick<pg.Pool, 'query'>;

type Row = Readonly<Record<string, unknown>>;

/** Encrypted columns of a table. */
interface SealedTable {
  readonly name: string;
  /** Its key column. */
  readonly key: string;
  /** Condition on rows; absent: all. */
  readonly where?: string;
  readonly columns: readonly string[];
  /** Place of a column's value. */
  placeOf(row: Row, organisationId: number, column: string): SecretPlace;
}

interface RotationCount {
  readonly table: string;
  readonly checked: number;
  readonly renewed: number;
}

const BATCH = 500;

/**
 * Re-encrypts everything encrypted with an older key of `SECRET_KEYS`, while the service runs: a value that changes
 * meanwhile (a renewed token) is skipped, as its writer used the first key anyway. Throws if no key decrypts a value;
 * values re-encrypted so far stay. Calls `onChecked` after each value.
 */
export async function rotateSecrets(
  owner: Owner,
  secrets: SecretBox,
  onChecked: (count: RotationCount) => void = () => undefined,
): Promise<RotationCount[]> {
  const counts: RotationCount[] = [];
  for (const table of SEALED) {
    let checked = 0;
    let renewed = 0;
    for await (const { column, key, sealed, place } of sealedValues(owner, table)) {
      checked += 1;
      onChecked({ table: table.name, checked, renewed });
      if (secrets.isCurrent(sealed)) continue;
      const { rowCount } = await owner.query(
        `UPDATE ${table.name} SET ${column} = $1 WHERE ${table.key} = $2 AND ${column} = $3`,
        [secrets.seal(secrets.open(sealed, place), place), key, sealed],
      );
      renewed += rowCount ?? 0;
    }
    counts.push({ table: table.name, checked, renewed });
  }
  return counts;
}

const CANARY = 'start';
const CANARY_PLACE: SecretPlace = {
  table: 'secret_canaries',
  row: CANARY,
  column: 'sealed',
  organisationId: 0,
};

const CANARY_TABLE: SealedTable = {
  name: 'secret_canaries',
  key: 'name',
  columns: ['sealed'],
  placeOf: () => CANARY_PLACE,
};

/** Every encrypted column; a test compares it with the database. */
const SEALED: readonly SealedTable[] = [
  CANARY_TABLE,
  {
    name: 'integrations',
    key: 'svc_id',
    columns: ['client_secret', 'hook_secret'],
    placeOf: ({ integration_type: type }, organisationId, column) =>
      (column === 'hook_secret' ? hookSecretPlace : clientSecretPlace)(String(type), organisationId),
  },
  {
    name: 'webhooks',
    key: 'id',
    columns: ['headers', 'secret', 'old_secret'],
    placeOf: ({ id }, organisationId, column: Parameters<typeof webhookPlace>[2]) =>
      webhookPlace(String(id), organisationId, column),
  },
  {
    name: 'connection_credentials',
    key: 'connection_id',
    columns: ['access_token', 'refresh_token', 'secrets'],
    placeOf: (row, organisationId, column: Parameters<typeof credentialPlace>[2]) =>
      credentialPlace(connectionOf(row), organisationId, column),
  },
  {
    name: 'authorizations',
    key: 'state_hash',
    // They expire after half an hour.
    where: 'expires_at > now()',
    columns: ['code_verifier', 'held'],
    placeOf: (row, organisationId, column: Parameters<typeof authorizationPlace>[2]) =>
      authorizationPlace(row['state_hash'] as Uint8Array, organisationId, column),
  },
];

const connectionOf = (row: Row) => ({
  svcCompanyId: Number(row['svc_company_id']),
  connectionId: Number(row['connection_id']),
});

/**
 * Throws if an encrypted value of the database does not decrypt: with wrong keys everything would start, but each write
 * would fail permanently. Tries one value of each table; the first start stores one in a new database, so that the
 * second start is checked even if nothing else was encrypted.
 */
export async function refuseOtherKeys(owner: Owner, secrets: SecretBox): Promise<void> {
  await tryKeys(owner, secrets);
  const { rowCount } = await owner.query(
    'INSERT INTO secret_canaries (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [CANARY, secrets.seal('open', CANARY_PLACE)],
  );
  // Another process, maybe with other keys, stored one meanwhile.
  if (rowCount === 0) await tryKeys(owner, secrets);
}

/**
 * The same before migrations, which cannot be undone. Checks one table only: the others may still have an earlier
 * build's layout.
 */
export async function refuseKeysOfAnother(owner: Owner, secrets: SecretBox): Promise<void> {
  const { rows } = await owner.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    CANARY_TABLE.name,
  ]);
  if (rows[0]?.found) await tryKeys(owner, secrets, [CANARY_TABLE]);
}

async function tryKeys(owner: Owner, secrets: SecretBox, tables = SEALED): Promise<void> {
  for (const table of tables) {
    for await (const { sealed, place } of sealedValues(owner, table)) {
      try {
        secrets.open(sealed, place);
      } catch (error) {
        throw new AppError(
          'invalid-params',
          `do not match this database: none of them decrypts the secrets in ${table.name}. ` +
            'Start with the keys it was used with, or with its DATA_DIR',
          'SECRET_KEYS',
          { cause: error },
        );
      }
      break;
    }
  }
}

interface SealedValue {
  readonly column: string;
  /** Key of its row. */
  readonly key: unknown;
  readonly sealed: string;
  readonly place: SecretPlace;
}

/** The sealed values of a table, read in the order of its key. */
async function* sealedValues(owner: Owner, table: SealedTable): AsyncGenerator<SealedValue> {
  const { name, key, columns, where = 'true' } = table;
  for (let last: Row | null | undefined = null; last !== undefined;) {
    const isNext: string = last ? `${key} > $1` : 'true';
    const { rows }: pg.QueryResult<Row> = await owner.query<Row>(
      `SELECT * FROM ${name} WHERE num_nonnulls(${columns.join(', ')}) > 0 AND ${where} AND ${isNext}
       ORDER BY ${key} LIMIT ${BATCH}`,
      last ? [last[key]] : [],
    );
    for (const row of rows) {
      for (const column of columns) {
        const sealed = row[column];
        if (typeof sealed !== 'string') continue;
        yield {
          column,
          key: row[key],
          sealed,
          place: table.placeOf(row, Number(row['svc_organisation_id']), column),
        };
      }
    }
    last = rows[rows.length - 1];
  }
}
