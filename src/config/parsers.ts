import { isIPv6 } from 'node:net';
import { parseSecretKey } from '../secrets/secret-box.js';

/** The value of a setting's text, or what it should have been. */
export type Parser<Value> = (text: string) => Value | Problem;
export class Problem {
  constructor(readonly expected: string) {}
}

export const integer =
  (min: number, max: number): Parser<number> =>
  (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : new Problem(`a whole number from ${min} to ${max}`);
  };
export const flag: Parser<boolean> = (text) => {
  if (['true', 'on', '1', 'yes'].includes(text.toLowerCase())) return true;
  if (['false', 'off', '0', 'no'].includes(text.toLowerCase())) return false;
  return new Problem('true or false');
};
export const oneOf =
  <Value extends string>(values: readonly Value[]): Parser<Value> =>
  (text) =>
    values.find((value) => value === text) ?? new Problem(`one of ${values.join(', ')}`);
export const text: Parser<string> = (value) => value;
export const secretKeys: Parser<Buffer[]> = (value) => {
  const keys = value.split(',').map((one) => parseSecretKey(one.trim()));
  return keys.every((key) => key !== null)
    ? keys
    : new Problem('keys of 32 bytes in base64, separated by commas; the first one encrypts');
};
export const share: Parser<number> = (value) => {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  return number >= 0 && number <= 1 ? number : new Problem('a share from 0 to 1, such as 0.3');
};
/** Without the brackets that an IPv6 address has in a URL; addresses in their usual form, `0` as 0.0.0.0. */
export const hostName: Parser<string> = (value) => {
  const host = withoutBrackets(value);
  if (!isIPv6(host) && !/^[\da-fx.]+$/i.test(host)) return host;
  const url = `http://${isIPv6(host) ? `[${host}]` : host}`;
  return URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : host;
};
const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
export const bucketName: Parser<string> = (value) =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : new Problem('the name of a bucket');
export const webUrl: Parser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain = url && ['http:', 'https:'].includes(url.protocol) && url.href === url.origin + url.pathname;
  // In the form of browsers and platforms, which compare it with the registered one.
  return isPlain ? url.href.replace(/\/+$/, '') : new Problem('an address such as https://data.example.com');
};
const originsOr =
  (others: string): Parser<string[]> =>
  (value) => {
    const all = value.split(',').map((one) => one.trim());
    const wrong = all.findIndex((one) => !isOrigin(one));
    if (wrong === -1) return all;
    const form =
      'exact origins such as https://app.example.com, without a slash at the end and separated by commas';
    // By its number: an address may contain a password.
    return new Problem(`${form}${others}: entry ${wrong + 1} is none`);
  };
/** Browsers send the origins of pages, which have no wildcards in their names. */
function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === text && !text.includes('*')
  );
}
export const origins = originsOr('');
const originsOrAll = originsOr(', or * alone');
export const corsOrigins: Parser<string[]> = (value) => (value === '*' ? ['*'] : originsOrAll(value));
/** A listening address. */
export interface Address {
  readonly host: string;
  readonly port: number;
}
export const address: Parser<Address> = (value) => {
  const [, host = '127.0.0.1', port = ''] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(value) ?? [];
  return port !== '' && Number(port) <= 65_535
    ? { host: host.replace(/[[\]]/g, ''), port: Number(port) }
    : new Problem('an address such as 0.0.0.0:9464');
};
export const postgresUrl: Parser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && ['postgresql:', 'postgres:'].includes(url.protocol) && url.pathname.length > 1) return value;
  return new Problem('postgresql://user:password@host:5432/database');
};

export const postgresUrls: Parser<string[]> = (value) => {
  const all = value.split(',').map((one) => postgresUrl(one.trim()));
  const good = all.filter((one) => typeof one === 'string');
  return good.length === all.length
    ? good
    : new Problem('addresses such as postgresql://10.0.0.6:5432/database, separated by commas');
};
