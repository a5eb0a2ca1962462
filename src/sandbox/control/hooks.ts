import { z } from 'zod';
import { json } from '../http/reply.js';
import type { ControlHandler } from './handler.js';
import { inputOf, platformInput } from './input.js';

const hooksInput = z.strictObject({
  platform: platformInput,
  hooks: z.array(z.strictObject({ url: z.url({ protocol: /^https?$/ }), secret: z.string().min(1) })),
});

/** Replaces the webhook subscribers of a platform; an empty list removes them. */
export const setHooks: ControlHandler = async (call) => {
  const { platform, hooks } = await inputOf(call, hooksInput);
  call.context.hooks.subscribe(
    platform,
    hooks.map((hook) => ({ platform, ...hook })),
  );
  return json(200, { hooks: hooks.length });
};
