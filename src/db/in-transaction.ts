import { raiseKnown } from './database-error.js';
import { withinScope, withinTurn } from './pool/prisma-pool.js';
import { scopeOf, type TenantClient } from './tenant-client.js';

/** Runs `work` in one transaction of the scoped client; any error rolls all of it back. */
export function inTransaction<Result>(
  client: TenantClient,
  work: (client: TenantClient) => Promise<Result>,
): Promise<Result> {
  return withinScope(scopeOf(client), () =>
    client.$transaction((transaction) => work(transaction as TenantClient)).catch(raiseKnown),
  );
}

/** The same, one at a time for an organisation and what `turn` names: what `work` counts stays so until it is done. */
export const inTurn = <Result>(
  client: TenantClient,
  turn: string,
  work: (client: TenantClient) => Promise<Result>,
): Promise<Result> =>
  withinTurn(`svc ${turn} ${scopeOf(client).organisationId}`, () => inTransaction(client, work));
