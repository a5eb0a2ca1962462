import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A server behind an address of its own, which can be taken away, given back, and lead to another server.
 * @param {string} targetUrl of the server
 */
export async function openProxy(targetUrl) {
  let target = new URL(targetUrl);
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  let isAway = false;
  let isFrozen = false;
  /** @type {string | null} */
  let swallowed = null;
  const server = createServer((incoming) => {
    if (isAway) return void incoming.destroy();
    const outgoing = connect(Number(target.port), target.hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        (socket === incoming ? outgoing : incoming).destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('data', (part) => {
      if (swallowed === null || !part.includes(swallowed)) return;
      swallowed = null;
      outgoing.unpipe(incoming);
      // It has been carried out when it is answered.
      outgoing.once('data', () => incoming.destroy()).resume();
    });
    if (isFrozen) for (const socket of [incoming, outgoing]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const drop = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: Object.assign(new URL(targetUrl), { host: `127.0.0.1:${port}` }).href,
    /** Breaks all connections off; new ones are answered. */
    drop,
    /** Breaks all connections off, and new ones too. */
    takeAway() {
      isAway = true;
      drop();
    },
    /** What is sent is neither passed on nor refused; `giveBack` passes it on. */
    freeze() {
      isFrozen = true;
      sockets.forEach((socket) => socket.pause());
    },
    /** What is sent over the connections that there are is lost from now on, and neither end hears of it; new ones work. */
    abandon() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.resume();
        socket.removeAllListeners('close');
        socket.on('close', () => sockets.delete(socket));
      }
    },
    /**
     * The next statement with this text is passed on, and its connection breaks off instead of the answer.
     * @param {string} text
     */
    swallowAnswer(text) {
      swallowed = text;
    },
    giveBack() {
      isAway = false;
      isFrozen = false;
      sockets.forEach((socket) => socket.resume());
    },
    /**
     * New connections lead there.
     * @param {string} url
     */
    leadTo(url) {
      target = new URL(url);
    },
    close() {
      drop();
      server.close();
    },
  };
}
