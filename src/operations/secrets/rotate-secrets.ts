import type pg from 'pg';
import { authorizationPlace } from '../../connect/authorizations.js';
import { webhookPlace } from '../../events/sealed-webhook.js';
import { clientSecretPlace, hookSecretPlace } from '../../platforms/client-credentials.js';
import { credentialPlace } from '../../platforms/credentials.js';
import { AppError } from '../../errors.js';
import type { SecretBox, SecretPlace } from '../../secrets/secret-box.js';

/** The database as its owner, by SQL: a start asks it, and loads no Prisma for that. */
type Owner = Pick<pg.Pool, 'query'>;

type Row = Readonly<Record<string, unknown>>;

/** What stands sealed in one table. */
interface SealedTable {
  readonly name: string;
  /** The column that tells its rows apart. */
  readonly key: string;
  /** Which rows are needed; without it all. */
  readonly where?: string;
  readonly columns: readonly string[];
  /** Where a value of a column belongs. */
  placeOf(row: Row, organisationId: number, column: string): SecretPlace;
}

interface RotationCount {
  readonly table: string;
  readonly checked: number;
  readonly renewed: number;
}

const BATCH = 500;

/**
 * Seals everything again that an older key of `SECRET_KEYS` had sealed, while the service runs: a value that changes
 * meanwhile (a token that is renewed) is left to the process that changed it, which sealed it with the first key anyway. Throws
 * where no key opens a value; what was renewed until then stays. `onChecked` is told after each value.
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

/** Every sealed column there is; a test holds it against the database. */
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
    // They live half an hour.
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
 * Throws where a sealed value of the database does not open: with other keys everything would start, and each write would
 * end as failed for good. One value of each table is tried; in a new database the first start leaves one, so that the
 * second one is held to its keys whatever was sealed until then.
 */
export async function refuseOtherKeys(owner: Owner, secrets: SecretBox): Promise<void> {
  await tryKeys(owner, secrets);
  const { rowCount } = await owner.query(
    'INSERT INTO secret_canaries (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [CANARY, secrets.seal('open', CANARY_PLACE)],
  );
  // Another process, which may have other keys, left one meanwhile.
  if (rowCount === 0) await tryKeys(owner, secrets);
}

/**
 * The same before migrations, which nothing takes back. The other tables may be as an earlier build left them, whose places
 * are not this one's to know.
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
          `do not fit this database: none of them opens what is sealed in ${table.name}. ` +
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
  /** Of its row. */
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
