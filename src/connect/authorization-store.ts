import { databaseTime } from '../db/clock.js';
import type { Connector } from '../connectors/connector.js';
import type { Given, Opened } from '../connectors/access.js';
import { AppError } from '../errors.js';
import type { TenantClient } from '../db/tenant-client.js';
import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import type { SecretBox, SecretPlace } from '../secrets/secret-box.js';
import { keepOpen, type OpenLink } from './find-link.js';
import type { ConnectServices } from './services.js';
import { hashSecret } from '../secrets/hash-secret.js';

/**
 * Sealed contents of an authorisation: typed-in values, the opened access while an account is to be chosen, and in the
 * end only the connections made.
 */
export interface AuthorizationSecrets {
  readonly given: Given;
  readonly opened: Opened | null;
  /** Absent until the authorisation has ended; empty if it failed. */
  readonly made?: readonly MadeConnection[];
}

/** A connection made by an authorisation. */
export interface MadeConnection {
  readonly connectionId: number;
  readonly externalAccountId: string;
}

/** An authorisation begun by an end customer. */
export interface StartedAuthorization {
  readonly integrationType: string;
  readonly category: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  readonly held: AuthorizationSecrets;
}

/** A state, or the choice of its accounts, has been used: each works once. */
export class AlreadyUsed extends AppError {
  constructor(why: string) {
    super('invalid-params', startAgain(why));
  }
}

/** How long an end customer may take at the platform. */
export const AUTHORIZATION_MS = 30 * 60_000;

type SealedColumn = 'code_verifier' | 'held';

/** Place of an authorisation's secrets. */
export const authorizationPlace = (
  stateHash: Uint8Array,
  organisationId: number,
  column: SealedColumn,
): SecretPlace => ({
  table: 'authorizations',
  row: Buffer.from(stateHash).toString('hex'),
  column,
  organisationId,
});

/** Stores an authorisation under the hash of its state. `isUsed`: it expects no callback from a platform. */
export async function noteAuthorization(
  { database, secrets }: ConnectServices,
  link: OpenLink,
  begun: Omit<StartedAuthorization, 'integrationType' | 'category'> & {
    readonly connector: Connector;
    readonly state: string;
    readonly isUsed: boolean;
  },
): Promise<void> {
  const { organisationId } = link.scope;
  const stateHash = hashSecret(begun.state);
  const seal = (text: string, column: SealedColumn) =>
    secrets.seal(text, authorizationPlace(stateHash, organisationId, column));
  const now = databaseTime();
  await database.client(link.scope).authorization.create({
    data: {
      stateHash,
      svcOrganisationId: BigInt(organisationId),
      svcCompanyId: BigInt(link.svcCompanyId),
      inviteLinkSvcId: BigInt(link.svcId),
      integrationType: begun.connector.integrationType,
      category: begun.connector.category,
      codeVerifier: seal(begun.codeVerifier, 'code_verifier'),
      held: seal(JSON.stringify(begun.held), 'held'),
      redirectUri: begun.redirectUri,
      usedAt: begun.isUsed ? now : null,
      expiresAt: new Date(now.getTime() + AUTHORIZATION_MS),
    },
  });
}

/** The authorisation of a state, which works once. Throws `invalid-params`. */
export async function takeState(
  services: ConnectServices,
  link: OpenLink,
  state: string,
): Promise<StartedAuthorization & { readonly sealed: string | null }> {
  const client = services.database.client(link.scope);
  const now = databaseTime();
  const which = whichOf(link, state);
  const { count } = await client.authorization.updateMany({
    where: { ...which, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  const row = await client.authorization.findFirst({ where: which });
  if (!row) throw new AppError('invalid-params', startAgain('this authorisation was not started here'));
  if (count !== 1) {
    const why = 'this authorisation was already used or took too long';
    throw row.usedAt === null ? new AppError('invalid-params', startAgain(why)) : new AlreadyUsed(why);
  }
  const open = (sealed: string, column: SealedColumn) =>
    services.secrets.open(sealed, authorizationPlace(which.stateHash, link.scope.organisationId, column));
  return {
    integrationType: row.integrationType,
    category: row.category,
    redirectUri: row.redirectUri,
    codeVerifier: open(row.codeVerifier, 'code_verifier'),
    held: row.held === null ? NO_SECRETS : parseSecrets(open(row.held, 'held')),
    sealed: row.held,
  };
}

/** Stores an authorisation's opened access until an account is chosen. Throws `not-found` if its link has been revoked. */
export async function storeOpened(
  { database, secrets }: ConnectServices,
  link: OpenLink,
  { state, held }: { readonly state: string; readonly held: AuthorizationSecrets },
): Promise<void> {
  await database.sql(link.scope).transaction(async (transaction) => {
    await keepOpen(transaction, link);
    await storeSecrets({ sql: transaction, secrets }, link, { state, held });
  });
}

/** Stores what was made of an authorisation, in the transaction that makes it, in place of its secrets. */
export const noteMade = (
  ways: AuthorizationStore,
  link: OpenLink,
  { state, made }: { readonly state: string; readonly made: readonly MadeConnection[] },
): Promise<void> => storeSecrets(ways, link, { state, held: { ...NO_SECRETS, made } });

/** Stores that an authorisation failed, unless something else was stored since its state was taken with `sealed`. */
export async function noteFailed(
  { database, secrets }: ConnectServices,
  link: OpenLink,
  { state, sealed }: { readonly state: string; readonly sealed: string | null },
): Promise<void> {
  await database.client(link.scope).authorization.updateMany({
    where: { ...whichOf(link, state), held: sealed },
    data: { held: sealSecrets(secrets, link, { state, held: { ...NO_SECRETS, made: [] } }) },
  });
}

/** An authorisation whose state has been used. */
export interface UsedAuthorization extends Pick<
  StartedAuthorization,
  'integrationType' | 'category' | 'held'
> {
  readonly usedAt: Date;
  readonly expiresAt: Date;
}

/** Reads an authorisation whose state has been used; null if there is none. */
export async function readUsed(
  { database, secrets }: ConnectServices,
  link: OpenLink,
  state: string,
): Promise<UsedAuthorization | null> {
  const which = whichOf(link, state);
  const row = await database.client(link.scope).authorization.findFirst({ where: which });
  if (!row?.usedAt) return null;
  const place = authorizationPlace(which.stateHash, link.scope.organisationId, 'held');
  const held = row.held === null ? NO_SECRETS : parseSecrets(secrets.open(row.held, place));
  const { integrationType, category, usedAt, expiresAt } = row;
  return { integrationType, category, held, usedAt, expiresAt };
}

/** An authorisation whose accounts are to be chosen. */
type PendingChoice = Pick<StartedAuthorization, 'integrationType' | 'category'> & {
  readonly given: Given;
  readonly opened: Opened;
  /** The stored ciphertext. */
  readonly sealed: string;
};

/** An authorisation's opened access while the choice is pending. Throws `invalid-params`. */
export async function readOpened(
  { database, secrets }: ConnectServices,
  link: OpenLink,
  state: string,
): Promise<PendingChoice> {
  const which = whichOf(link, state);
  const row = await database.client(link.scope).authorization.findFirst({
    where: { ...which, held: { not: null }, usedAt: { not: null }, expiresAt: { gt: databaseTime() } },
  });
  const sealed = row?.held ?? null;
  const place = authorizationPlace(which.stateHash, link.scope.organisationId, 'held');
  const held = sealed === null ? null : parseSecrets(secrets.open(sealed, place));
  if (!row || sealed === null || !held?.opened) throw new AlreadyUsed(CHOSEN);
  const { integrationType, category } = row;
  return { integrationType, category, given: held.given, opened: held.opened, sealed };
}

/** A choice of accounts, identified by its state and the stored ciphertext of their access. */
export interface Choice {
  readonly state: string;
  readonly sealed: string;
}

/** Takes a choice in the transaction that stores its connections: works once. Throws `invalid-params`. */
export async function takeChoice(
  transaction: TenantSql,
  link: OpenLink,
  { state, sealed }: Choice,
): Promise<void> {
  const query = transaction.query();
  const [taken] = await transaction.rows(
    query,
    `UPDATE authorizations t SET held = NULL
     WHERE ${ofState(query, link, hashSecret(state))} AND t.held = ${query.bind(sealed)} RETURNING 1 AS taken`,
  );
  if (!taken) throw new AlreadyUsed(CHOSEN);
}

/** All links of a company, or one of them. */
export interface LinkSelection {
  readonly svcCompanyId: number;
  readonly inviteLinkSvcId?: number;
}

/** Takes opened accesses whose accounts were not chosen. Skips those that can no longer be decrypted. */
export async function takeUnchosen(
  { client, secrets }: Pick<ConnectServices, 'secrets'> & { readonly client: TenantClient },
  { svcCompanyId, inviteLinkSvcId }: LinkSelection,
): Promise<Omit<PendingChoice, 'sealed'>[]> {
  const rows = await client.authorization.findMany({
    where: {
      svcCompanyId: BigInt(svcCompanyId),
      ...(inviteLinkSvcId === undefined ? {} : { inviteLinkSvcId: BigInt(inviteLinkSvcId) }),
      usedAt: { not: null },
      held: { not: null },
    },
  });
  const taken: Omit<PendingChoice, 'sealed'>[] = [];
  for (const { stateHash, svcOrganisationId, held: sealed, integrationType, category } of rows) {
    const where = { stateHash, svcCompanyId: BigInt(svcCompanyId), held: sealed };
    const { count } = await client.authorization.updateMany({ where, data: { held: null } });
    const place = authorizationPlace(stateHash, Number(svcOrganisationId), 'held');
    const held = count === 1 && sealed !== null ? openSecrets(secrets, sealed, place) : null;
    if (held?.opened) taken.push({ integrationType, category, given: held.given, opened: held.opened });
  }
  return taken;
}

/** Null if its encryption key is gone. */
function openSecrets(secrets: SecretBox, sealed: string, place: SecretPlace): AuthorizationSecrets | null {
  try {
    return parseSecrets(secrets.open(sealed, place));
  } catch {
    return null;
  }
}

const CHOSEN = 'this choice was already made or took too long';
const NO_SECRETS: AuthorizationSecrets = {
  given: { address: null, settings: {}, secrets: {} },
  opened: null,
};

const whichOf = (link: OpenLink, state: string) => ({
  stateHash: hashSecret(state),
  svcCompanyId: BigInt(link.svcCompanyId),
  inviteLinkSvcId: BigInt(link.svcId),
});

const ofState = (query: TenantQuery, { svcCompanyId, svcId }: OpenLink, stateHash: Uint8Array): string =>
  `${query.rowsOf(svcCompanyId, 'invite_link_svc_id', svcId)} AND t.state_hash = ${query.bind(stateHash)}`;

/** We encrypted it: nobody else can have written it. */
function parseSecrets(text: string): AuthorizationSecrets {
  return JSON.parse(text, (name, value: unknown) =>
    name === 'expiresAt' && typeof value === 'string' ? new Date(value) : value,
  ) as AuthorizationSecrets;
}

interface AuthorizationStore {
  readonly sql: TenantSql;
  readonly secrets: SecretBox;
}

interface StateSecrets {
  readonly state: string;
  readonly held: AuthorizationSecrets;
}

async function storeSecrets(
  { sql, secrets }: AuthorizationStore,
  link: OpenLink,
  holding: StateSecrets,
): Promise<void> {
  const query = sql.query();
  const sealed = query.bind(sealSecrets(secrets, link, holding));
  await sql.rows(
    query,
    `UPDATE authorizations t SET held = ${sealed} WHERE ${ofState(query, link, hashSecret(holding.state))}`,
  );
}

const sealSecrets = (secrets: SecretBox, { scope }: OpenLink, { state, held }: StateSecrets): string =>
  secrets.seal(JSON.stringify(held), authorizationPlace(hashSecret(state), scope.organisationId, 'held'));

const startAgain = (why: string) => `${why}: start again from the link`;
