import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Stands before a server, and keeps back what a client says there from a word on, until it is let go. */
export async function openHoldingProxy(targetUrl: string) {
  const target = new URL(targetUrl);
  let word: string | null = null;
  let onHeld: () => void = () => undefined;
  let letGo: () => void = () => undefined;
  const server = createServer((client) => {
    const behind = connect(Number(target.port), target.hostname);
    behind.pipe(client);
    client.on('data', (part) => {
      if (word === null || !part.includes(word)) return void behind.write(part);
      word = null;
      client.pause();
      letGo = () => {
        behind.write(part);
        client.resume();
      };
      onHeld();
    });
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      one.on('error', () => undefined).once('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(targetUrl), { port: String(port) }).href,
    /** Holds the first that has the word; resolves when it has come. */
    hold: (what: string): Promise<void> => {
      word = what;
      return new Promise((resolve) => (onHeld = resolve));
    },
    letGo: () => letGo(),
    close: () => server.close(),
  };
}
