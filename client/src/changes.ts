import type { components } from './__generated__/rest.js';
import { ApiError } from './errors.js';
import { addressOf } from './rest.js';
import { type ClientOptions, DEFAULT_TIMEOUT, type Send, sleep, withinTime } from './send.js';

export type Change = components['schemas']['Change'];

export interface ChangesOptions {
  /** The position to continue from: that of the last change that was dealt with. From the oldest change where absent. */
  readonly after?: string | number;
  readonly companyId?: number;
  readonly dataModels?: readonly string[];
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  /** Whether to go on with what happens later; otherwise it ends with the latest change. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

interface Page {
  readonly data: readonly Change[];
  readonly next: string;
  readonly has_more: boolean;
}

const PAUSE = 1000;

/** Changes of records in their order; with `follow` over a stream that is opened again where it broke off. */
export async function* readChanges(
  send: Send,
  options: ChangesOptions,
  { wait = sleep, timeout = DEFAULT_TIMEOUT }: Pick<ClientOptions, 'wait' | 'timeout'> = {},
): AsyncGenerator<Change, void, undefined> {
  const { follow = false, signal } = options;
  let after = options.after === undefined ? undefined : String(options.after);
  for (;;) {
    const page = (await (await ask(send, options, { after, accept: 'application/json' })).json()) as Page;
    yield* page.data;
    after = page.next;
    if (!page.has_more) break;
  }
  while (follow && !signal?.aborted) {
    try {
      const stream = await ask(send, options, { after, accept: 'text/event-stream' });
      for await (const { id, data } of eventsOf(stream, timeout)) {
        if (data !== '') yield JSON.parse(data) as Change;
        if (id !== null) after = id;
      }
    } catch (error) {
      if (signal?.aborted) return;
      // A stream that breaks off or is silent, or takes no more, is opened again where it was.
      if (error instanceof ApiError) throw error;
    }
    await wait(PAUSE, signal).catch(() => undefined);
  }
}

function ask(
  send: Send,
  { companyId, dataModels, operations, signal }: ChangesOptions,
  { after, accept }: { readonly after: string | undefined; readonly accept: string },
): Promise<Response> {
  const query = { next: after, 'svc_company_id[eq]': companyId, data_models: dataModels, operations };
  return send({
    method: 'GET',
    path: addressOf('/v3/core/changes', {}, query),
    headers: { accept },
    ...(signal ? { signal } : {}),
    isRepeatable: true,
    isStream: accept === 'text/event-stream',
  });
}

interface StreamEvent {
  readonly id: string | null;
  readonly data: string;
}

type StreamPart = { readonly done: boolean; readonly value?: Uint8Array };

/**
 * Server-sent events. An id without data is one too: it is past what a filter leaves out. The service sends something every
 * 15 s: a stream that is silent for longer than `silence` is dead, and breaks off.
 */
async function* eventsOf({ body }: Response, silence: number): AsyncGenerator<StreamEvent, void, undefined> {
  if (!body) return;
  const reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await withinTime(silence, () => reader.read() as Promise<StreamPart>);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(eventOf);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): StreamEvent {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  return { id: valuesOf('id').at(-1) ?? null, data: valuesOf('data').join('\n') };
}
