import { createServer, request } from 'node:http';

/** A proxy before the shop that can act when the service calls it: before a call, or after its answer. */
export async function openGate(target) {
  let watch = null;
  let calls = 0;
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    calls += 1;
    const mine = watch?.at === calls ? watch : null;
    if (mine?.when === 'before') mine.act();
    const onward = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
        if (mine?.when === 'after') answer.once('end', () => setTimeout(mine.act, mine.afterMs));
      },
    );
    onward.once('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.keepAliveTimeout = 600_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** From now on: what to do at the call with this number. */
    expect: (next) => {
      calls = 0;
      watch = next;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
