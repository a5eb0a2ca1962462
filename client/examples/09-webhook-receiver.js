// A receiver of webhooks: makes one for itself, has a test sent, and verifies what arrives.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { verifyWebhook, WebhookError } from '../dist/index.js';
import { client } from './service.js';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();
const { id, secret } = await client.post('/v3/core/webhooks', {
  body: { webhook: { name: 'example', type: 'DATA_MODEL_CHANGES', url: `http://127.0.0.1:${port}/events` } },
});

server.on('request', async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = await verifyWebhook({ headers: request.headers, body: Buffer.concat(chunks) }, { secret });
    console.log(`verified: ${event.type}`);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    response.writeHead(401).end();
  }
});
const { data } = await client.post('/v3/core/webhooks/{id}/test', { params: { id } });
console.log(`delivery: ${data?.status}, ${data?.response_status}`);
await client.delete('/v3/core/webhooks/{id}', { params: { id } });
server.close();
server.closeAllConnections();
