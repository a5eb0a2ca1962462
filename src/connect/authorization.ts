import type { Access, Given, Opened, PlatformAccount } from '../connectors/access.js';
import type { Connector } from '../connectors/connector.js';
import { connectorFor } from '../connectors/index.js';
import { AppError } from '../errors.js';
import { clientCredentials, requireApp } from '../platforms/client-credentials.js';
import { createOAuthClient, randomCodeVerifier, randomState } from '../platforms/oauth.js';
import { reachOf } from '../platforms/reach.js';
import type { Category } from '../records/define.js';
import {
  type StartedAuthorization,
  type AuthorizationSecrets,
  storeOpened,
  noteAuthorization,
  noteFailed,
  readOpened,
  takeState,
} from './authorization-store.js';
import { type PlatformChoice, platformChoices } from './choices.js';
import { CustomerError } from './customer-error.js';
import { type OpenLink, refuseEnded } from './find-link.js';
import { type GrantedAccess, orRevoke } from './granted-access.js';
import { parseGiven, type TypedValues } from './given.js';
import type { ConnectServices } from './services.js';
import { type ConnectedAccount, storeConnections } from './store-connection.js';

/** Path to which platforms redirect end customers. */
export const CALLBACK_PATH = '/oauth/callback';

/** A consent that covers several accounts: the end customer chooses which to connect. */
export interface AccountChoice {
  /** State that identifies the choice. */
  readonly state: string;
  readonly connector: Connector;
  readonly accounts: readonly PlatformAccount[];
}

/** An end customer's choice on an invite link page. */
interface PlatformSelection {
  readonly integrationType: string;
  readonly category: string;
  readonly redirectUri: string;
  /** Keyed by the platform's field names. */
  readonly typed?: TypedValues;
}

/** The chosen platform. Throws if the link does not offer it. */
export async function chosenPlatform(
  { database }: ConnectServices,
  link: OpenLink,
  { integrationType, category }: Pick<PlatformSelection, 'integrationType' | 'category'>,
): Promise<PlatformChoice> {
  refuseEnded(link);
  const choices = await platformChoices(database.client(link.scope), link);
  const found = choices.find(
    ({ connector }) => connector.integrationType === integrationType && connector.category === category,
  );
  if (found) return found;
  throw new CustomerError(
    'invalid-params',
    'This link does not offer that platform. Please choose one that it offers.',
  );
}

/** Begins a platform's authorisation from a link. Returns the platform URL to redirect the end customer to. */
export async function beginAuthorization(
  services: ConnectServices,
  link: OpenLink,
  chosen: PlatformSelection,
): Promise<string> {
  const { connector } = await chosenPlatform(services, link, chosen);
  const access = oauthOf(connector);
  const given = parseGiven(access.fields, chosen.typed ?? {}, services.outbound);
  const oauth = await oauthClient(services, link, connector, given);
  const state = randomState();
  const codeVerifier = randomCodeVerifier();
  const { redirectUri } = chosen;
  const held: AuthorizationSecrets = { given, opened: null };
  await noteAuthorization(services, link, {
    connector,
    state,
    codeVerifier,
    redirectUri,
    held,
    isUsed: false,
  });
  return oauth.authorizationUrl({ redirectUri, state, codeVerifier });
}

/**
 * Completes an authorisation with the platform's callback: exchanges the code, then stores the connection with its
 * tokens and starts its first sync in one transaction; if there are several accounts, the customer chooses first. A
 * state works once. Throws `invalid-params` if the customer or the platform refused; the link can be used again.
 */
export async function finishAuthorization(
  services: ConnectServices,
  link: OpenLink,
  callback: URLSearchParams,
): Promise<ConnectedAccount | AccountChoice> {
  refuseEnded(link);
  const state = callback.get('state') ?? '';
  const { sealed, ...begun } = await takeState(services, link, state);
  try {
    return await finishTaken(services, link, { callback, state, begun });
  } catch (error) {
    // The process may exit before this is stored, so a repeated callback waits only for a limited time.
    await noteFailed(services, link, { state, sealed }).catch(() => undefined);
    throw error;
  }
}

interface TakenState {
  readonly callback: URLSearchParams;
  readonly state: string;
  readonly begun: StartedAuthorization;
}

async function finishTaken(
  services: ConnectServices,
  link: OpenLink,
  { callback, state, begun: { held, ...begun } }: TakenState,
): Promise<ConnectedAccount | AccountChoice> {
  const connector = connectorFor(begun.integrationType, begun.category as Category);
  const access = oauthOf(connector);
  const { scope } = link;
  const app = await clientCredentials(
    services.database.client(scope),
    services.secrets,
    scope,
    begun.integrationType,
  );
  // A refusal need not be signed: none of its data is used.
  const fromCallback = callback.has('error') ? {} : (access.readCallback?.(callback, app) ?? {});
  const given = { ...held.given, settings: { ...held.given.settings, ...fromCallback } };
  const oauth = await oauthClient(services, link, connector, given);
  const { tokens, answer } = await oauth.exchange({ ...begun, callback, state });
  const settings = access.readTokenAnswer?.(answer) ?? {};
  const reach = reachOf(services, begun.integrationType, {
    ...given,
    settings: { ...given.settings, ...settings },
  });
  const accounts = await access.accounts({ ...reach, accessToken: tokens.accessToken });
  const opened = { accounts, tokens, settings };
  const only = oneAccount(connector, opened);
  if (only) return connectOne(services, link, { connector, account: only, state, given, opened });
  await orRevoke(services, link, { connector, given, opened }, () =>
    storeOpened(services, link, { state, held: { given, opened } }),
  );
  return { state, connector, accounts };
}

/**
 * Connects a platform by a form: the typed-in values open it immediately. Throws `invalid-params` with the field at
 * fault.
 */
export async function openByForm(
  services: ConnectServices,
  link: OpenLink,
  chosen: PlatformSelection,
): Promise<ConnectedAccount | AccountChoice> {
  const { connector } = await chosenPlatform(services, link, chosen);
  const { access } = connector;
  if (access.kind !== 'form') throw new Error(`${connector.title} is not connected by a form`);
  await requireApp(services.database.client(link.scope), connector);
  const given = parseGiven(access.fields, chosen.typed ?? {}, services.outbound);
  const reach = reachOf(services, connector.integrationType, given);
  const opened = await access.open({ ...reach, secrets: given.secrets });
  const only = oneAccount(connector, opened);
  if (only) return connectOne(services, link, { connector, account: only, state: null, given, opened });
  const state = randomState();
  const { redirectUri } = chosen;
  const held = { given, opened };
  const codeVerifier = randomCodeVerifier();
  await noteAuthorization(services, link, {
    connector,
    state,
    codeVerifier,
    redirectUri,
    held,
    isUsed: true,
  });
  return { state, connector, accounts: opened.accounts };
}

/** Accounts of a consent that await a choice. Throws `invalid-params` if it was already made or has expired. */
export async function offeredAccounts(
  services: ConnectServices,
  link: OpenLink,
  state: string,
): Promise<AccountChoice> {
  refuseEnded(link);
  const { opened, ...authorization } = await readOpened(services, link, state);
  return choiceOf(state, authorization, opened);
}

/** The choice that an authorisation leaves. */
export const choiceOf = (
  state: string,
  { integrationType, category }: Pick<StartedAuthorization, 'integrationType' | 'category'>,
  { accounts }: Opened,
): AccountChoice => ({ state, connector: connectorFor(integrationType, category as Category), accounts });

/**
 * Creates a connection for each chosen account. A choice works once. Throws `invalid-params`, with the field `account`
 * if none was chosen.
 */
export async function chooseAccounts(
  services: ConnectServices,
  link: OpenLink,
  { state, externalAccountIds }: { readonly state: string; readonly externalAccountIds: readonly string[] },
): Promise<ConnectedAccount[]> {
  refuseEnded(link);
  const { integrationType, category, given, opened, sealed } = await readOpened(services, link, state);
  const wanted = new Set(externalAccountIds);
  const accounts = opened.accounts.filter(({ externalAccountId }) => wanted.has(externalAccountId));
  if (accounts.length === 0 || accounts.length < wanted.size) {
    throw new AppError('invalid-params', 'must be accounts that were offered, one at least', 'account');
  }
  const connector = connectorFor(integrationType, category as Category);
  const choice = { state, sealed };
  return storeConnections(services, link, { connector, accounts, state, given, opened, choice });
}

/** The only account, or null if there are several. Throws if there is none. */
function oneAccount({ title }: Connector, { accounts }: Opened): PlatformAccount | null {
  const [first, ...others] = accounts;
  if (!first) throw new AppError('invalid-params', `${title} gave access to no account`);
  return others.length === 0 ? first : null;
}

async function connectOne(
  services: ConnectServices,
  link: OpenLink,
  {
    account,
    ...access
  }: GrantedAccess & { readonly account: PlatformAccount; readonly state: string | null },
): Promise<ConnectedAccount> {
  const made = { ...access, accounts: [account], choice: null };
  const [connected] = await storeConnections(services, link, made);
  if (!connected) throw new Error('an account that was stored has no connection');
  return connected;
}

function oauthOf({ title, access }: Connector): Extract<Access, { kind: 'oauth' }> {
  if (access.kind === 'oauth') return access;
  throw new Error(`${title} is not connected by OAuth`);
}

async function oauthClient(services: ConnectServices, link: OpenLink, connector: Connector, given: Given) {
  const { scope } = link;
  const { integrationType, title } = connector;
  const client = services.database.client(scope);
  const credentials = await clientCredentials(client, services.secrets, scope, integrationType);
  const reach = reachOf(services, integrationType, given);
  return createOAuthClient({ title, access: oauthOf(connector), reach, credentials });
}
