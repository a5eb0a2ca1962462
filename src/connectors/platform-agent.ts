import { Agent } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;

/** One for all platforms at their usual addresses: idle sockets close by themselves and do not keep the process alive. */
export const platformAgent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });
