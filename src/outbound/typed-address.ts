import { isIP } from 'node:net';
import { type FieldPath, invalid } from '../errors.js';
import { parseText } from '../base/values.js';
import { type AddressKind, addressKind } from './address-kind.js';

/** Rules for the hosts that user-given addresses may reach. */
export interface AddressRules {
  /** This machine and private networks too, and plain http to them. */
  readonly allowPrivate: boolean;
}

const MAX_LENGTH = 2000;

/**
 * Normalises an address given by a user. Throws `invalid-params` on one that could never be called; names are resolved
 * only at the call.
 */
export function parseTypedAddress(value: unknown, field: FieldPath, rules: AddressRules): string {
  const text = parseText(value, field).trim();
  const url = text.length <= MAX_LENGTH && URL.canParse(text) ? new URL(text) : null;
  const refusal = invalid(
    field,
    rules.allowPrivate
      ? 'must be an address such as https://hooks.example.com/events, without a user name; http only on this machine and private networks'
      : 'must be a public address such as https://hooks.example.com/events, without a user name',
  );
  if (!url || url.username !== '' || url.password !== '') throw refusal;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowPrivate)) throw refusal;
  if (url.port === '0') throw invalid(field, 'must not have the port 0');
  const literal = literalOf(url);
  if (literal !== null && !isAllowed(url, addressKind(literal), rules)) throw refusal;
  // A name of this machine needs no lookup.
  if (LOCAL_NAME.test(url.hostname) && !isAllowed(url, 'private', rules)) throw refusal;
  url.hash = '';
  return url.href;
}

const LOCAL_NAME = /(^|\.)localhost\.?$/;

/** Whether a URL may be called at an address of this kind. */
export function isAllowed(url: Pick<URL, 'protocol'>, kind: AddressKind, rules: AddressRules): boolean {
  switch (kind) {
    case 'public':
      return url.protocol === 'https:';
    case 'private':
      return rules.allowPrivate;
    case 'never':
      return false;
  }
}

/** The address itself if the host is not a name: a URL writes IPv6 in brackets and every IPv4 in four parts. */
export function literalOf({ hostname }: Pick<URL, 'hostname'>): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) ? host : null;
}
