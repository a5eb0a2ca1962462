import pg from 'pg';
import { AppError, codeOf } from '../../errors.js';
import { withClient } from '../pool/client.js';
import { Login } from '../pool/login.js';
import { loginOf, withLogin } from '../pool/url-login.js';
import { withMigrationLock } from '../migrations/lock.js';
import { findRole, tooMighty } from './find-role.js';
import { grantRights } from './rights.js';
import { runtimeRoleName } from './role-name.js';
import { scramVerifier } from './scram.js';

export interface RuntimeOptions {
  /** `DATABASE_RUNTIME_URL`: the login created by the operator. */
  readonly runtimeUrl: string | null;
  /** The role's passwords, derived from each of `SECRET_KEYS`; the first one is set. */
  readonly passwords: readonly [string, ...string[]];
  /** The pooler's URL, if there is one in front of the owner's. */
  readonly pooledUrl?: string | null;
}

export interface Runtime {
  /** The login of requests and jobs. */
  readonly login: Login;
  /** Why that is the owner's login; null if it is a restricted one. */
  readonly problem: string | null;
}

/** PostgreSQL's error for a missing privilege to create roles or grant rights. */
const NOT_ALLOWED = '42501';
const WRONG_PASSWORD = '28P01';

/**
 * Creates the login of requests and jobs with its password and rights, as far as missing: a role that is no superuser,
 * owns nothing and is subject to row-level security. Needs a migrated database. Safe to run concurrently.
 */
export function prepareRuntime(ownerUrl: string, options: RuntimeOptions): Promise<Runtime> {
  return withMigrationLock(ownerUrl, async (owner) => {
    try {
      if (options.runtimeUrl === null) await makeRole(owner, ownerUrl, options.passwords[0]);
      const login = runtimeLogin(ownerUrl, options);
      await grantRights(owner, await roleOf(login));
      return { login, problem: null };
    } catch (error) {
      const { code, message = '' } = error as { code?: string; message?: string };
      const isOurs = options.runtimeUrl === null && error instanceof UnfitLogin;
      if (code !== NOT_ALLOWED && !isOurs) throw error;
      const { pooledUrl } = options;
      const login = pooledUrl ? new Login([pooledUrl], [ownerUrl]) : new Login([ownerUrl]);
      return { login, problem: message };
    }
  });
}

/** The login of a prepared database. A given login has different direct and pooler URLs. */
function runtimeLogin(
  ownerUrl: string,
  { runtimeUrl, passwords: [first, ...others], pooledUrl }: RuntimeOptions,
): Login {
  if (runtimeUrl !== null) {
    if (!pooledUrl) return new Login([runtimeUrl]);
    return new Login([runtimeUrl], [withLogin(ownerUrl, loginOf(runtimeUrl))]);
  }
  const user = runtimeRoleName(databaseOf(ownerUrl));
  const at = (url: string): [string, ...string[]] => [
    withLogin(url, { user, password: first }),
    ...others.map((password) => withLogin(url, { user, password })),
  ];
  return pooledUrl ? new Login(at(pooledUrl), at(ownerUrl)) : new Login(at(ownerUrl));
}

async function makeRole(owner: pg.Client, ownerUrl: string, password: string): Promise<void> {
  const name = runtimeRoleName(databaseOf(ownerUrl));
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  const secret = `PASSWORD ${pg.escapeLiteral(scramVerifier(password))}`;
  const role = pg.escapeIdentifier(name);
  if (!rowCount) await owner.query(`CREATE ROLE ${role} LOGIN NOINHERIT ${secret}`);
  else if (!(await isAccepted(withLogin(ownerUrl, { user: name, password })))) {
    await owner.query(`ALTER ROLE ${role} LOGIN ${secret}`);
  }
}

async function isAccepted(url: string): Promise<boolean> {
  try {
    await withClient({ connectionString: url }, (client) => client.query('SELECT 1'));
    return true;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Other problems are reported when its role is checked.
    return codeOf(error) !== WRONG_PASSWORD;
  }
}

/** The role of a login. Throws if it is not a restricted one: row-level security would not apply to it. */
async function roleOf(login: Login): Promise<string> {
  const role = await withClient({ connectionString: login.direct.url }, (client) => findRole(client)).catch(
    (error: unknown) => {
      if (error instanceof AppError) throw error;
      throw new UnfitLogin(`its login cannot be used: ${(error as Error).message}`, error);
    },
  );
  if (role && !role.isMighty) return role.name;
  throw new UnfitLogin(tooMighty(role?.name));
}

/** A login unfit for requests and jobs. */
class UnfitLogin extends AppError {
  constructor(message: string, cause?: unknown) {
    super('invalid-params', message, 'DATABASE_RUNTIME_URL', {
      cause,
      message: `DATABASE_RUNTIME_URL: ${message}`,
    });
  }
}

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));
