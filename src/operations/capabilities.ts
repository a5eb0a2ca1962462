import { connectors } from '../connectors/index.js';
import type { Deletions } from '../connectors/connector.js';

/** What can be done with one record type through a connection. */
export interface Capability {
  readonly dataModel: string;
  readonly pull: boolean;
  readonly incremental: boolean;
  readonly deletions: 'FEED' | 'SWEEP' | 'FULL_READ';
  readonly push: boolean;
  readonly webhook: boolean;
}

const SEARCHES = { feed: 'FEED', sweep: 'SWEEP' } as const satisfies Record<Deletions['kind'], string>;

/** What a connection's connector can do; nothing where its platform is known no more. */
export function capabilitiesOf(connection: {
  readonly integrationType: string;
  readonly category: string;
}): Capability[] {
  const connector = connectors.find(
    ({ integrationType, category }) =>
      integrationType === connection.integrationType && category === connection.category,
  );
  return (connector?.pulls ?? []).map(({ definition, incremental, deletions }) => ({
    dataModel: definition.dataModel,
    pull: true,
    incremental,
    deletions: deletions ? SEARCHES[deletions.kind] : 'FULL_READ',
    push: false,
    webhook: false,
  }));
}
