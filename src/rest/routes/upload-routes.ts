import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../raw-json.js';
import { recordTypeOf } from '../../records/index.js';
import type { RecordDefinition } from '../../records/define.js';
import { parseText } from '../../values.js';
import { absent, parsed } from '../request/query.js';
import { envelopeC } from '../envelopes.js';
import { prepareMutation } from '../mutation.js';
import { ALL, type PreparedOperation, prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import {
  type SelectedItem,
  uploadStatus,
  writeItem,
  type WrittenShape,
  writtenShape,
} from '../write-shape.js';

interface UploadResult {
  readonly writeId: string;
  readonly state: string;
  readonly items: { readonly nodes: readonly SelectedItem[] };
}

/** What came of writes, and what can be written. Contract section 3. */
export function uploadRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const kind = prepareOperation(
    executor,
    `query ($id: String!) { result: write(writeId: $id) { dataModel } }`,
    {},
  );
  const capabilities = prepareOperation(
    executor,
    `query ($integrationType: IntegrationType, $category: IntegrationCategory) {
      result: capabilities(integrationType: $integrationType, category: $category) {
        integration_type: integrationType category title
        data_models: dataModels {
          data_model: dataModel pull incremental deletions push create update webhook
          create_schema: createSchema update_schema: updateSchema
        }
      }
    }`,
    { integrationType: 'integration_type' },
  );
  // A field means one thing in one operation, and record types differ: each has its own.
  const prepared = new Map<string, { operation: PreparedOperation; shape: WrittenShape }>();
  const uploadFor = (definition: RecordDefinition) => {
    let found = prepared.get(definition.dataModel);
    if (!found) {
      const shape = writtenShape(definition, limits, true);
      const text = `query ($id: String!) { result: write(writeId: $id) {
        writeId state items(first: ${ALL}) { nodes { ${shape.item} } } } }`;
      prepared.set(
        definition.dataModel,
        (found = { operation: prepareOperation(executor, text, {}), shape }),
      );
    }
    return found;
  };

  const retry = prepareMutation(executor, 'retryWrite', 'write { writeId }', {
    writeId: 'upload_job_id',
  });
  const show: RestRoute['answer'] = async ({ params, context }) => {
    const id = parseText(params['upload_job_id'], 'upload_job_id');
    const { result } = await kind.run({ id }, context);
    const found = result as { dataModel: string } | null;
    const definition = found && recordTypeOf(found.dataModel);
    if (!definition) throw absent('upload');
    const { operation, shape } = uploadFor(definition);
    const upload = (await operation.run({ id }, context))['result'] as UploadResult | null;
    if (!upload) throw absent('upload');
    const items = upload.items.nodes.map((item) => writeItem(item, shape.write)).join(',');
    const status = uploadStatus(upload.state);
    return {
      body: envelopeC(
        `{"data":[${items}],"status":"${status}","upload_job_id":${JSON.stringify(upload.writeId)}}`,
      ),
    };
  };

  return [
    { method: 'GET', path: '/v3/core/uploads/:upload_job_id', answer: show },
    {
      method: 'POST',
      path: '/v3/core/uploads/:upload_job_id/retry',
      answer: async (request) => {
        await retry.run({ writeId: request.params['upload_job_id'] }, request.context);
        return show(request);
      },
    },
    {
      method: 'GET',
      path: '/v3/core/capabilities',
      answer: async ({ query, context }) => {
        const { result } = await capabilities.run(
          {
            integrationType: parsed(query, 'integration_type', parseText),
            category: parsed(query, 'category', parseText),
          },
          context,
        );
        return { body: envelopeC(stringifyJson(result)) };
      },
    },
  ];
}
