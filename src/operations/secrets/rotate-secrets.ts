import { databaseTime } from '../../db/clock.js';
import type { PrismaClient } from '../../db/__generated__/client.js';
import { authorizationPlace } from '../../connect/authorizations.js';
import { clientSecretPlace, hookSecretPlace } from '../../platforms/client-credentials.js';
import { credentialPlace } from '../../platforms/credentials.js';
import { AppError } from '../../errors.js';
import type { SecretBox, SecretPlace } from '../../secrets/secret-box.js';
import { webhookPlace } from '../../events/sealed-webhook.js';

/** One sealed value, and how to replace it where nobody has meanwhile. */
interface SealedValue {
  readonly sealed: string;
  readonly place: SecretPlace;
  replace(sealed: string): Promise<{ readonly count: number }>;
}

/** What stands sealed in one table, page after page. */
interface SealedTable {
  readonly name: string;
  values(prisma: PrismaClient): AsyncIterable<SealedValue>;
}

interface RotationCount {
  readonly table: string;
  readonly checked: number;
  readonly renewed: number;
}

const BATCH = 500;

/**
 * Seals everything again that an older key of `SECRET_KEYS` had sealed, while the service runs: a value that changes
 * meanwhile (a token that is renewed) is left to whoever changed it, who sealed it with the first key anyway. Throws
 * where no key opens a value; what was renewed until then stays.
 */
export async function rotateSecrets(prisma: PrismaClient, secrets: SecretBox): Promise<RotationCount[]> {
  const counts: RotationCount[] = [];
  for (const table of SEALED) {
    let checked = 0;
    let renewed = 0;
    for await (const value of table.values(prisma)) {
      checked += 1;
      if (secrets.isCurrent(value.sealed)) continue;
      const { count } = await value.replace(
        secrets.seal(secrets.open(value.sealed, value.place), value.place),
      );
      renewed += count;
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

/** Every sealed column there is; a test holds it against the database. */
const SEALED: readonly SealedTable[] = [
  {
    name: 'secret_canaries',
    values: async function* (prisma) {
      for (const { name, sealed } of await prisma.secretCanary.findMany()) {
        yield {
          sealed,
          place: CANARY_PLACE,
          replace: (renewed) =>
            prisma.secretCanary.updateMany({ where: { name, sealed }, data: { sealed: renewed } }),
        };
      }
    },
  },
  {
    name: 'integrations',
    values: (prisma) =>
      paged(
        (after: bigint) =>
          prisma.integration.findMany({
            where: { svcId: { gt: after } },
            orderBy: { svcId: 'asc' },
            take: BATCH,
          }),
        0n,
        ({ svcId }) => svcId,
        ({ svcId, integrationType, svcOrganisationId, clientSecret, hookSecret }) => {
          const organisationId = Number(svcOrganisationId);
          const app = clientSecret !== null && {
            sealed: clientSecret,
            place: clientSecretPlace(integrationType, organisationId),
            replace: (sealed: string) =>
              prisma.integration.updateMany({
                where: { svcId, clientSecret },
                data: { clientSecret: sealed },
              }),
          };
          const hook = hookSecret !== null && {
            sealed: hookSecret,
            place: hookSecretPlace(integrationType, organisationId),
            replace: (sealed: string) =>
              prisma.integration.updateMany({ where: { svcId, hookSecret }, data: { hookSecret: sealed } }),
          };
          return [app, hook].filter((value) => value !== false);
        },
      ),
  },
  {
    name: 'webhooks',
    values: (prisma) =>
      paged(
        (after: string) =>
          prisma.webhook.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: BATCH }),
        '',
        ({ id }) => id,
        ({ id, svcOrganisationId, headers, secret, oldSecret }) => {
          const place = (column: Parameters<typeof webhookPlace>[2]) =>
            webhookPlace(id, Number(svcOrganisationId), column);
          const values: (SealedValue | null)[] = [
            {
              sealed: headers,
              place: place('headers'),
              replace: (sealed) =>
                prisma.webhook.updateMany({ where: { id, headers }, data: { headers: sealed } }),
            },
            secret === null
              ? null
              : {
                  sealed: secret,
                  place: place('secret'),
                  replace: (sealed) =>
                    prisma.webhook.updateMany({ where: { id, secret }, data: { secret: sealed } }),
                },
            oldSecret === null
              ? null
              : {
                  sealed: oldSecret,
                  place: place('old_secret'),
                  replace: (sealed) =>
                    prisma.webhook.updateMany({ where: { id, oldSecret }, data: { oldSecret: sealed } }),
                },
          ];
          return values.filter((value) => value !== null);
        },
      ),
  },
  {
    name: 'connection_credentials',
    values: (prisma) =>
      paged(
        (after: bigint) =>
          prisma.connectionCredential.findMany({
            where: { connectionId: { gt: after } },
            orderBy: { connectionId: 'asc' },
            take: BATCH,
          }),
        0n,
        ({ connectionId }) => connectionId,
        ({ connectionId, svcCompanyId, svcOrganisationId, accessToken, refreshToken, secrets }) => {
          const key = { svcCompanyId: Number(svcCompanyId), connectionId: Number(connectionId) };
          const place = (column: Parameters<typeof credentialPlace>[2]) =>
            credentialPlace(key, Number(svcOrganisationId), column);
          const access: SealedValue = {
            sealed: accessToken,
            place: place('access_token'),
            replace: (sealed) =>
              prisma.connectionCredential.updateMany({
                where: { connectionId, accessToken },
                data: { accessToken: sealed },
              }),
          };
          const refresh: SealedValue | null =
            refreshToken === null
              ? null
              : {
                  sealed: refreshToken,
                  place: place('refresh_token'),
                  replace: (sealed) =>
                    prisma.connectionCredential.updateMany({
                      where: { connectionId, refreshToken },
                      data: { refreshToken: sealed },
                    }),
                };
          const given: SealedValue | null =
            secrets === null
              ? null
              : {
                  sealed: secrets,
                  place: place('secrets'),
                  replace: (sealed) =>
                    prisma.connectionCredential.updateMany({
                      where: { connectionId, secrets },
                      data: { secrets: sealed },
                    }),
                };
          return [access, refresh, given].filter((value) => value !== null);
        },
      ),
  },
  {
    name: 'authorizations',
    values: async function* (prisma) {
      // They live half an hour: few, and done with soon.
      const rows = await prisma.authorization.findMany({ where: { expiresAt: { gt: databaseTime() } } });
      for (const { stateHash, svcOrganisationId, codeVerifier, held } of rows) {
        const place = (column: Parameters<typeof authorizationPlace>[2]) =>
          authorizationPlace(stateHash, Number(svcOrganisationId), column);
        yield {
          sealed: codeVerifier,
          place: place('code_verifier'),
          replace: (sealed) =>
            prisma.authorization.updateMany({
              where: { stateHash, codeVerifier },
              data: { codeVerifier: sealed },
            }),
        };
        if (held === null) continue;
        yield {
          sealed: held,
          place: place('held'),
          replace: (sealed) =>
            prisma.authorization.updateMany({ where: { stateHash, held }, data: { held: sealed } }),
        };
      }
    },
  },
];

/**
 * Throws where a sealed value of the database does not open: with other keys everything would start, and each write would
 * end as failed for good. One value of each table is tried; in a new database the first start leaves one, so that the
 * second one is held to its keys whatever was sealed until then.
 */
export async function refuseOtherKeys(prisma: PrismaClient, secrets: SecretBox): Promise<void> {
  await tryKeys(prisma, secrets);
  const { count } = await prisma.secretCanary.createMany({
    data: { name: CANARY, sealed: secrets.seal('open', CANARY_PLACE) },
    skipDuplicates: true,
  });
  // Another process, which may have other keys, left one meanwhile.
  if (count === 0) await tryKeys(prisma, secrets);
}

async function tryKeys(prisma: PrismaClient, secrets: SecretBox): Promise<void> {
  for (const table of SEALED) {
    for await (const { sealed, place } of table.values(prisma)) {
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

/** The sealed values of a table's rows, read in the order of a key. */
async function* paged<Row, Key>(
  page: (after: Key) => Promise<Row[]>,
  first: Key,
  keyOf: (row: Row) => Key,
  valuesOf: (row: Row) => readonly SealedValue[],
): AsyncGenerator<SealedValue> {
  for (let after = first; ;) {
    const rows = await page(after);
    const last = rows[rows.length - 1];
    if (last === undefined) return;
    after = keyOf(last);
    for (const row of rows) yield* valuesOf(row);
  }
}
