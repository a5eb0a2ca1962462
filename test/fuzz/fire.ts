import { expect } from '@jest/globals';
import fc from '../support/fast-check.js';
import { Pool } from 'undici';
import { stretched } from '../support/time.js';

export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** `FUZZ_FACTOR` multiplies the generated requests: more than every run of the suite has time for find more. */
export const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);
/** Generated requests a style, and the time a test may take for them. */
export const SHOTS = 10_000 * FUZZ_FACTOR;
export const SHOTS_MILLISECONDS = stretched(180_000 * FUZZ_FACTOR);

const IN_FLIGHT = 16;
/** What hangs, hangs for ever: how fast the rest is depends on the machine. */
const LATEST_MILLISECONDS = stretched(60_000);

/**
 * Sends `SHOTS` generated requests, several at a time, and checks every answer: no 5xx, JSON, a code and a message in each
 * refusal, none that hangs. fast-check prints the seed and the smallest batch that fails.
 */
export async function fire(url: string, key: string, shots: fc.Arbitrary<Shot>): Promise<void> {
  const pool = new Pool(url, { connections: IN_FLIGHT });
  let sent = 0;
  let good = 0;
  const send = async ({ method, path, body }: Shot): Promise<void> => {
    const started = performance.now();
    const answer = await pool.request({
      method,
      path,
      body: body ?? null,
      headers: { api_key: key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    });
    const text = await answer.body.text();
    sent += 1;
    if (answer.statusCode === 200) good += 1;
    const problem = problemOf(answer.statusCode, text, performance.now() - started);
    if (problem) throw new Error(`${problem}\n${method} ${path}\n${body ?? ''}\n${text.slice(0, 500)}`);
  };
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(shots, { minLength: IN_FLIGHT, maxLength: IN_FLIGHT }), async (batch) => {
        await Promise.all(batch.map(send));
      }),
      { numRuns: Math.ceil(SHOTS / IN_FLIGHT), endOnFailure: true },
    );
  } finally {
    await pool.close();
  }
  expect(sent).toBeGreaterThanOrEqual(SHOTS);
  expect(good / sent).toBeGreaterThan(0.3);
}

function problemOf(status: number, text: string, milliseconds: number): string | null {
  if (milliseconds > LATEST_MILLISECONDS) return `late: ${Math.round(milliseconds)} ms`;
  if (status >= 500) return `status ${status}`;
  let body: { error?: unknown; errors?: unknown[] };
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    return `status ${status} without JSON`;
  }
  if (status < 400) return null;
  const graphql = body.errors?.[0] as { message?: string; extensions?: { code?: string } } | undefined;
  const rest = body.error as { message?: string; code?: string } | undefined;
  const code = graphql?.extensions?.code ?? rest?.code;
  const message = graphql?.message ?? rest?.message;
  return code && message ? null : `status ${status} without a code and a message`;
}
