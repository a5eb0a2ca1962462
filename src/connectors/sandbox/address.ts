import { type PlatformAccess } from '../platform-access.js';

/** The address of `npm run sandbox`. */
const LOCAL = 'http://127.0.0.1:4100';

/** The root of the sandbox, without a trailing slash; its three platforms are below it. */
export function sandboxRoot(baseUrl: string | null): string {
  return (baseUrl ?? LOCAL).replace(/\/+$/, '');
}

/** The access for calls below a path of the sandbox. Not a spread: an access may be a class instance. */
export function accessBelow(
  access: PlatformAccess,
  path: string,
): PlatformAccess & { readonly baseUrl: string } {
  return {
    baseUrl: sandboxRoot(access.baseUrl) + path,
    settings: access.settings,
    dispatcher: access.dispatcher,
    externalAccountId: access.externalAccountId,
    patienceMs: access.patienceMs,
    accessToken: (refused) => access.accessToken(refused),
    ended: (token) => access.ended(token),
    permit: () => access.permit(),
  };
}
