import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { parseJson } from '../base/raw-json.js';
import { type CallRest, ToolRefusal } from './call.js';
import { confirmationOf, type PlannedWrite } from './confirmation.js';
import { requireWritten } from './describe-records.js';
import { answerWith, READS } from './answer.js';
import { takes, wholeNumber } from './takes.js';

const WRITE = {
  company_id: wholeNumber().nonnegative().describe('svc_id of the company'),
  data_model: z.string().describe('Record type, such as CONTACTS'),
  operation: z.enum(['CREATE', 'UPDATE']).default('CREATE'),
  items: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .max(100)
    .describe('Records to write, by the field names of REST; an update is one item with its platform_id'),
};

/** Tools to plan and apply a write: exactly what was planned is applied, once. */
export function addWriteTools(server: McpServer, call: CallRest): void {
  server.registerTool(
    'plan_write',
    {
      description:
        'Plans a write without doing it: what the platform would be sent, problems and warnings of each item, and a confirmation. Show the plan to the user before it is applied.',
      inputSchema: takes(WRITE),
      annotations: READS,
    },
    (write) =>
      answerWith(async () => {
        const plan = parseJson(await send(call, write, { dry_run: true })) as { data: unknown };
        return { plan: plan.data, confirmation: confirmationOf(write) };
      }),
  );
  server.registerTool(
    'apply_write',
    {
      description:
        'Writes what was planned to the platform. Call it only after the user has agreed to the plan. With the same idempotency_key it happens once, however often it is called.',
      inputSchema: takes({
        ...WRITE,
        confirmation: z.string().describe('From plan_write, for exactly these items'),
        idempotency_key: z
          .string()
          .min(8)
          .max(200)
          .describe('Made up once for this write, the same at every attempt'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    ({ confirmation, idempotency_key: idempotencyKey, ...write }) =>
      answerWith(() => {
        if (confirmation !== confirmationOf(write)) {
          const message =
            'confirmation is not that of these items: plan this write first, and show the plan to the user';
          throw new ToolRefusal('operation-denied', message, 'confirmation');
        }
        return send(call, write, {}, idempotencyKey);
      }),
  );
}

async function send(
  call: CallRest,
  write: PlannedWrite,
  how: { readonly dry_run?: true },
  idempotencyKey?: string,
): Promise<string> {
  const { path } = requireWritten(write.data_model, write.operation);
  const body = { company_id: write.company_id, data: write.items, ...how };
  const isUpdate = write.operation === 'UPDATE';
  if (isUpdate && write.items.length > 1) {
    throw new ToolRefusal('invalid-params', 'items takes one item for an update', 'items');
  }
  return call({
    method: isUpdate ? 'PUT' : 'POST',
    path: isUpdate ? `/v3/${path}` : `/${path}`,
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
}
