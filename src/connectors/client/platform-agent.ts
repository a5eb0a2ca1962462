import { Agent } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;

/** Shared by all platforms at their usual addresses. Idle sockets close by themselves and do not keep the process alive. */
export const platformAgent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });
