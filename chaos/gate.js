import { createServer, request } from 'node:http';
import { once } from 'node:events';

/**
 * A proxy before the platforms that records every call with its answer, however it ended. A call that its caller
 * abandons still reaches the platform.
 */
export async function openGate(target) {
  const calls = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      // The caller was killed midway.
      return;
    }
    const body = Buffer.concat(chunks);
    const { method, url, headers } = incoming;
    const call = {
      at: Date.now(),
      method,
      path: url.split('?')[0],
      account: headers['sandbox-company'] ?? null,
      key: headers['idempotency-key'] ?? null,
      status: null,
      /** Whether the answer reached the caller complete. */
      isWhole: false,
      pauseMs: null,
      answeredAt: null,
    };
    calls.push(call);
    const forward = request(target + url, { method, headers });
    outgoing.on('close', () => forward.destroy());
    forward.on('error', () => outgoing.destroy());
    forward.on('response', (answer) => {
      call.status = answer.statusCode;
      call.answeredAt = Date.now();
      const after = answer.headers['retry-after'];
      if (answer.statusCode === 429 && after !== undefined) call.pauseMs = Number(after) * 1000;
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.on('end', () => (call.isWhole = answer.complete));
      answer.on('error', () => outgoing.destroy());
      answer.on('aborted', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    forward.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
