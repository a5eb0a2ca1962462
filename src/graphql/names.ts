/** Names of input in both styles: `accountId` in GraphQL is `account_id` in REST. */

export const inSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const inCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The value of an enum for a field: `svcId` is `SVC_ID`. */
export const inCapitals = (name: string): string => inSnakeCase(name).toUpperCase();

/** A path of GraphQL from the name of a field: `journal_lines[0].net_amount` is `["journalLines", "0", "netAmount"]`. */
export const toPath = (field: string): string[] | null =>
  field === ''
    ? null
    : field
        .split(/[.[\]]+/)
        .filter((part) => part !== '')
        .map(inCamelCase);

/** The name of a field in REST from its path in GraphQL. */
export const toWireName = (path: readonly string[] | null): string =>
  (path ?? [])
    .map((part, index) =>
      /^\d+$/.test(part) ? `[${part}]` : `${index === 0 ? '' : '.'}${inSnakeCase(part)}`,
    )
    .join('');
