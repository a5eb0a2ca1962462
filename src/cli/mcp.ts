import { AppError } from '../errors.js';
import { type CallRest, ToolRefusal } from '../mcp/call.js';
import { createProgram, runProgram } from './command.js';
import { refusalOf } from './refusal.js';

interface Options {
  readonly url: string;
  readonly allowWrites?: boolean;
}

const program = createProgram(
  'mcp',
  'MCP server with tools for AI assistants, over stdio. Reads the API key from API_KEY.',
);

program
  // Without npm, which writes its own lines to the output.
  .name('node dist/cli/mcp.js')
  .option('--url <address>', 'URL of the service', 'http://127.0.0.1:4000')
  .option('--allow-writes', 'also offer tools that write; the key needs the scope write')
  .action(async ({ url, allowWrites = false }: Options) => {
    const apiKey = process.env['API_KEY'];
    if (!apiKey) throw new AppError('invalid-params', 'must be a key of the service', 'API_KEY');
    const call = callService(url.replace(/\/+$/, ''), apiKey);
    const version = await versionOf(url);
    const [{ createMcpServer }, { StdioServerTransport }] = await Promise.all([
      import('../mcp/server.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ]);
    const server = createMcpServer(call, { version, mayWrite: allowWrites });
    // It ends when its input ends.
    await server.connect(new StdioServerTransport());
  });

void runProgram(program);

async function versionOf(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => null);
  const about = answer?.ok ? await answer.json().catch(() => null) : null;
  if (about === null) throw new AppError('service-unavailable', `there is no service at ${url}`);
  return (about as { version: string }).version;
}

function callService(url: string, apiKey: string): CallRest {
  return async ({ method, path, query = {}, body, idempotencyKey }) => {
    const answer = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    }).catch(() => {
      throw new ToolRefusal('service-unavailable', `there is no service at ${url}`, '');
    });
    if (answer.ok) return answer.text();
    const { code, message, field } = await refusalOf(answer);
    throw new ToolRefusal(code, message, field);
  };
}
