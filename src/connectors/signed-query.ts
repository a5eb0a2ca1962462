import { isSigned } from './hook-signature.js';

/**
 * Whether a query is signed with the secret in its parameter `hmac`, as Shopify signs redirects: all others, by name. One
 * that repeats a name is not: which of its values is signed?
 */
export function isSignedQuery(query: URLSearchParams, secret: string): boolean {
  const names = [...query.keys()];
  if (new Set(names).size < names.length) return false;
  const { hmac = '', ...signed } = Object.fromEntries(query);
  const message = Object.keys(signed)
    .sort()
    .map((name) => `${escaped(name).replaceAll('=', '%3D')}=${escaped(signed[name] ?? '')}`)
    .join('&');
  return isSigned(Buffer.from(message), secret, Buffer.from(hmac, 'hex'));
}

/** Without what separates parameters: two of them must not have the text of one that holds both. */
const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('&', '%26');
