import { z } from 'zod';
import { FAULTS, type FaultRule } from '../gate/faults.js';
import { json } from '../http/reply.js';
import { PLATFORMS } from '../platform.js';
import type { ControlHandler } from './handler.js';
import { inputOf, platformInput } from './input.js';

const ruleInput = z
  .strictObject({
    platform: platformInput.nullable().default(null),
    account: z.string().nullable().default(null),
    path: z.string().nullable().default(null),
    method: z.string().nullable().default(null),
    fault: z.enum(FAULTS),
    share: z.number().min(0).max(1).nullable().default(null),
    count: z.number().int().min(1).nullable().default(null),
    skip: z.number().int().min(0).default(0),
    seed: z.number().int().default(1),
  })
  .refine(({ share, count }) => share !== null || count !== null, 'a rule needs share or count');
const rulesInput = z.strictObject({ rules: z.array(ruleInput).min(1) });

export const addFaults: ControlHandler = async (call) => {
  const { rules } = await inputOf(call, rulesInput);
  call.context.faults.add(rules satisfies readonly FaultRule[]);
  return json(200, { rules: call.context.faults.list() });
};

export const listFaults: ControlHandler = async ({ context }) => json(200, { rules: context.faults.list() });

export const clearFaults: ControlHandler = async ({ context }) => {
  await context.faults.clear();
  return json(200, { rules: [] });
};

const limitsInput = z.strictObject({
  platform: platformInput.optional(),
  per_minute: z.number().int().min(0).optional(),
  concurrent: z.number().int().min(0).optional(),
});

/** Changes the limits of one platform, or of all. */
export const setLimits: ControlHandler = async (call) => {
  const { platform, per_minute: perMinute, concurrent } = await inputOf(call, limitsInput);
  const { limits } = call.context.settings;
  for (const one of platform ? [platform] : PLATFORMS) {
    limits[one] = {
      perMinute: perMinute ?? limits[one].perMinute,
      concurrent: concurrent ?? limits[one].concurrent,
    };
  }
  return json(200, { limits });
};

export const readStatistics: ControlHandler = async ({ context }) => json(200, context.statistics.report());

export const resetStatistics: ControlHandler = async ({ context }) => {
  context.statistics.reset();
  return json(200, context.statistics.report());
};
