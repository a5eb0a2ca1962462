import type { PlatformHooks } from '../hooks.js';
import type { PullResource } from '../pull.js';
import { eventsIn, isSigned } from '../hook-signature.js';
import { objectOf, textOf } from '../values/platform-values.js';

/**
 * Webhooks of the sandbox platforms, signed with a hexadecimal HMAC-SHA256 of the body. `resources` are the record
 * types to read again when an object of a kind has changed.
 */
export function sandboxHooks(
  resources: Readonly<Record<string, PullResource | readonly PullResource[]>>,
): PlatformHooks {
  const dataModels = new Map(
    Object.entries(resources).map(([kind, read]) => [
      kind,
      [read].flat().map(({ definition }) => definition.dataModel),
    ]),
  );
  return {
    dataModels: [...dataModels.values()].flat(),
    read: ({ headers, body, secret }) => {
      if (!isSigned(body, secret, Buffer.from(textOf(headers['sandbox-signature']) ?? '', 'hex')))
        return null;
      return eventsIn(body).flatMap((one) => {
        const event = objectOf(one) ?? {};
        const externalAccountId = textOf(event['account']);
        const changed = dataModels.get(textOf(event['kind']) ?? '');
        if (externalAccountId === null || changed === undefined) return [];
        return [{ externalAccountId, dataModels: changed, platformId: null }];
      });
    },
  };
}
