import type { Connector } from '../../connectors/connector.js';
import type { Deletions, PullResource } from '../../connectors/pull.js';
import { connectors, connectorsOf, findConnector } from '../../connectors/index.js';
import { type JsonSchema, jsonSchemaOf } from '../../connectors/inputs/schema.js';
import type { Context } from '../../context.js';
import { formOf, type WriteForm } from '../../connectors/push.js';
import type { Category, RecordDefinition } from '../../records/define.js';
import { records } from '../../records/index.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import type { PageArguments } from '../../query/pages/page.js';
import { parseCategory } from './platform-choice.js';

/** Operations that a connection supports for one record type. */
export interface Capability {
  readonly dataModel: string;
  readonly pull: boolean;
  readonly incremental: boolean;
  readonly deletions: 'FEED' | 'SWEEP' | 'FULL_READ';
  readonly push: boolean;
  readonly create: boolean;
  readonly update: boolean;
  readonly createSchema: JsonSchema | null;
  readonly updateSchema: JsonSchema | null;
  readonly webhook: boolean;
}

const SEARCHES = { feed: 'FEED', moves: null, sweep: 'SWEEP' } as const satisfies Record<
  Deletions['kind'],
  string | null
>;

/** The method that finds all deletions. */
const searchOf = (ways: PullResource['deletions'] = []): Capability['deletions'] =>
  ways.map(({ kind }) => SEARCHES[kind]).find((search) => search !== null) ?? 'FULL_READ';

/** Capabilities of a connection's connector; empty if its platform is no longer known. */
export function capabilitiesOf(connection: {
  readonly integrationType: string;
  readonly category: string;
}): Capability[] {
  const connector = findConnector(connection);
  return connector ? dataModelsOf(connector) : [];
}

/** A platform with its capabilities. */
export interface Platform {
  readonly integrationType: string;
  readonly category: Category;
  readonly title: string;
  readonly dataModels: Capability[];
}

/** Capabilities of one or all platforms. Throws `invalid-params` for an unknown platform. */
export function platformsOf(integrationType: string | null, category: string | null): Platform[] {
  const wanted = category === null ? null : parseCategory(category, 'category');
  const found = integrationType === null ? connectors : connectorsOf(integrationType);
  return found
    .filter((one) => wanted === null || one.category === wanted)
    .map((one) => ({
      integrationType: one.integrationType,
      category: one.category,
      title: one.title,
      dataModels: dataModelsOf(one),
    }));
}

export type PlatformPage = CountedConnection<Platform>;

interface PlatformArguments extends PageArguments {
  readonly integrationType?: string | null | undefined;
  readonly category?: string | null | undefined;
}

/** See `platformsOf`, a page of them. */
export function listPlatforms({ limits }: Context, args: PlatformArguments): PlatformPage {
  const found = platformsOf(args.integrationType ?? null, args.category ?? null);
  const listed = found.map((node) => ({ id: `${node.integrationType} ${node.category}`, node }));
  return pageOfAll('capabilities', listed, args, { limits, nested: false });
}

function dataModelsOf({ pulls, push, hooks }: Connector): Capability[] {
  return pulls.map(({ definition, incremental, deletions }) => {
    const writes = push?.resources.find((one) => one.definition === definition);
    const schemaOf = (form: WriteForm | null) => form && jsonSchemaOf(form.input);
    return {
      dataModel: definition.dataModel,
      pull: true,
      incremental,
      deletions: searchOf(deletions),
      push: writes !== undefined,
      create: Boolean(writes?.create),
      update: Boolean(writes?.update),
      createSchema: schemaOf(formOf(writes, 'CREATE')),
      updateSchema: schemaOf(formOf(writes, 'UPDATE')),
      webhook: hooks?.dataModels.includes(definition.dataModel) ?? false,
    };
  });
}

/** Record types that can be written to at least one platform. */
export function writtenTypes(): { readonly definition: RecordDefinition; readonly isUpdated: boolean }[] {
  const resources = connectors.flatMap(({ push }) => push?.resources ?? []);
  return records
    .filter((definition) => resources.some((one) => one.definition === definition))
    .map((definition) => ({
      definition,
      isUpdated: resources.some((one) => one.definition === definition && one.update !== null),
    }));
}
