import type { SecretBox, SecretPlace } from '../secrets/secret-box.js';

/** Row and column of a webhook's secret. */
export const webhookPlace = (
  id: string,
  organisationId: number,
  column: 'headers' | 'secret' | 'old_secret',
): SecretPlace => ({ table: 'webhooks', row: id, column, organisationId });

/** Secrets that sign besides the current one, as one text to encrypt; the latest first. */
export const joinSecrets = (secrets: readonly string[]): string => secrets.join(' ');

export const splitSecrets = (text: string): string[] => text.split(' ');

/** Headers to add to each event, by name. */
export type Headers = Readonly<Record<string, string>>;

/** The headers of a webhook as they are sent. */
export function openHeaders(
  secrets: SecretBox,
  {
    id,
    organisationId,
    headers,
  }: { readonly id: string; readonly organisationId: number; readonly headers: string },
): Headers {
  return JSON.parse(secrets.open(headers, webhookPlace(id, organisationId, 'headers'))) as Headers;
}
