import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { stringifyPlatformJson } from '../connectors/values/platform-json.js';
import { ToolRefusal } from './call.js';

/** Tools that change nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** A tool's result: JSON with all digits of its numbers, or the refusal. */
export async function answerWith(work: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const result = await work();
    return {
      content: [{ type: 'text', text: typeof result === 'string' ? result : stringifyPlatformJson(result) }],
    };
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    const { code, message, field } = error;
    return { isError: true, content: [{ type: 'text', text: JSON.stringify({ code, message, field }) }] };
  }
}
