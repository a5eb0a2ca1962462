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

/** As `inTransaction`, one at a time per organisation and `turn`: what `work` counts does not change until it commits. */
export const inExclusiveTransaction = <Result>(
  client: TenantClient,
  turn: string,
  work: (client: TenantClient) => Promise<Result>,
): Promise<Result> =>
  withinTurn(`svc ${turn} ${scopeOf(client).organisationId}`, () => inTransaction(client, work));
