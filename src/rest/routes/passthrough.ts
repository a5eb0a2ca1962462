import type { Executor } from '../../graphql/execute.js';
import { stringifyJson } from '../../base/raw-json.js';
import { parseSvcId, parseText } from '../../base/values.js';
import { envelopeC } from '../envelopes.js';
import type { RestRoute } from '../route.js';
import { readBody } from '../request/body.js';
import { PassthroughDocument } from '../__generated__/documents.js';
import { prepareMutation } from '../mutation.js';
import { inEnvelopeC } from '../description/envelopes.js';
import { about, integer } from '../description/json-schema.js';
import { CONNECTION_HEADER } from '../description/write-descriptions.js';

const asSent = (value: unknown): unknown => value;

/**
 * Requests passed to a platform unchanged. Reference 4.4; status and headers of the platform's answer are in headers.
 */
export function passthroughRoutes(executor: Executor): RestRoute[] {
  const passthrough = prepareMutation(executor, PassthroughDocument);
  return [
    {
      method: 'POST',
      path: '/v3/core/passthrough',
      describe: (to) => ({
        id: 'passthrough',
        group: 'Platforms',
        summary: 'Send a request directly to a platform',
        documentation: 'Mutation.passthrough',
        description:
          "Counts towards the connection's rate limit at the platform. The platform's status is in the header `x-platform-status`.",
        scope: 'passthrough',
        body: to.input(PassthroughDocument),
        answer: inEnvelopeC(about("The platform's answer, in its own format.", {})),
        headers: {
          ...CONNECTION_HEADER,
          'X-Platform-Status': about("Status of the platform's answer.", integer),
        },
      }),
      answer: async ({ body, context }) => {
        const fields = readBody(body, ['company_id', 'data']);
        const request = readBody(fields.required('data', asSent), ['method', 'path'], ['data']);
        const input = {
          companyId: fields.required('company_id', parseSvcId),
          connectionId: fields.optional('connection_id', parseSvcId),
          integrationType: fields.optional('integration_type', parseText),
          data: {
            method: request.required('method', parseText).toUpperCase(),
            path: request.required('path', parseText),
            headers: request.optional('headers', asSent),
            params: request.optional('params', asSent),
            data: request.optional('data', asSent),
          },
        };
        const { connectionId, status, headers, data } = await passthrough.run(input, context);
        const passedOn = Object.entries(headers ?? {}).map(([name, value]): [string, string] => [
          `x-platform-${name}`,
          String(value),
        ]);
        return {
          body: envelopeC(stringifyJson(data)),
          headers: {
            ...Object.fromEntries(passedOn),
            'x-platform-status': String(status),
            'x-svc-connection-id': String(connectionId),
            'cache-control': 'no-store',
          },
          ignored: [...fields.ignored(), ...request.ignored()],
        };
      },
    },
  ];
}
