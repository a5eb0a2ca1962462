import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AddressKind } from '../../src/outbound/address-kind.js';
import { createOutboundCaller, NoAnswer, type OutboundCaller } from '../../src/outbound/caller.js';
import { packagePath } from '../../src/package-path.js';
import { CERTIFICATE, KEY } from '../support/certificate.js';
import { TIME_FACTOR } from '../support/time-factor.js';

const SAME_WORDS = 'the address did not answer';
const UNTRUSTED = "the receiver's TLS certificate is not trusted, has expired or is for another name";
const PATIENCE_MS = 3000 * TIME_FACTOR;
const LATE = `the receiver did not answer completely within ${PATIENCE_MS / 1000} s`;
const CLOSED = 'the connection ended without an HTTP answer';

let answer: (response: ServerResponse) => void;
let plain: Server;
let secure: Server;
let folder: string;
let caller: OutboundCaller | null = null;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'));
  writeFileSync(join(folder, 'trusted.pem'), CERTIFICATE);
  plain = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  secure = createTlsServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => answer(response));
  secure.listen(0, '127.0.0.1');
  await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
});
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  await caller?.close();
  caller = null;
});

/** Why there is no complete answer, and the status that was read. */
async function fail(url: string, options: { timeoutMs?: number; kindOf?: () => AddressKind } = {}) {
  caller = createOutboundCaller({ allowPrivate: true, timeoutMs: 20_000, ...options });
  const error: unknown = await caller
    .post({ url, headers: {}, body: '{}' })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NoAnswer);
  const { message, status } = error as NoAnswer;
  return { message, status };
}

/** The same in a process that trusts the certificate. */
async function failTrusting(host: string, timeoutMs = 20_000) {
  const script = `
    import { createOutboundCaller } from './caller.js';
    const lookup = (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const kindOf = () => 'public';
    const caller = createOutboundCaller({ allowPrivate: false, timeoutMs: ${timeoutMs}, lookup, kindOf });
    const call = { url: 'https://${host}:${portOf(secure)}/', headers: {}, body: '{}' };
    const { message, status } = await caller.post(call).catch((error) => error);
    console.log(JSON.stringify({ message, status }));
    await caller.close();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: packagePath('dist/outbound'),
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'trusted.pem') },
  });
  return JSON.parse(stdout) as unknown;
}

describe('tells, with the status that was read,', () => {
  test('of an answer that broke off', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun', () => response.destroy());
    };
    expect(await fail(`http://127.0.0.1:${portOf(plain)}/`)).toEqual({
      message: "the receiver's answer broke off",
      status: 200,
    });
  });

  test('of an answer that did not end in time', async () => {
    answer = (response) => void response.writeHead(500).write('begun');
    expect(await fail(`http://127.0.0.1:${portOf(plain)}/`, { timeoutMs: PATIENCE_MS })).toEqual({
      message: LATE,
      status: 500,
    });
  });
});

describe('tells of a public server', () => {
  test('whose certificate is not trusted', async () => {
    answer = (response) => void response.end();
    expect(await fail(`https://127.0.0.1:${portOf(secure)}/`, { kindOf: () => 'public' })).toEqual({
      message: UNTRUSTED,
      status: null,
    });
  });

  test('whose certificate is for another name', async () => {
    answer = (response) => void response.end();
    expect(await failTrusting('hooks.example.com')).toEqual({ message: UNTRUSTED, status: null });
    expect(await failTrusting('localhost')).toEqual({ status: 200 });
  });

  test.each([
    ['that closes the connection', ''],
    ['that answers something else than HTTP', 'SSH-2.0\r\n\r\n'],
    ['that says to continue, unasked', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'],
  ])('%s', async (_what, text) => {
    answer = (response) => void response.socket?.end(text);
    expect(await failTrusting('localhost')).toEqual({ message: CLOSED, status: null });
  });

  test('that does not answer in time', async () => {
    answer = () => undefined;
    expect(await failTrusting('localhost', PATIENCE_MS)).toEqual({
      message: LATE,
      status: null,
    });
  });
});

describe('does not tell of a private network', () => {
  test('whether there is TLS', async () => {
    expect(await fail(`https://127.0.0.1:${portOf(secure)}/`)).toEqual({ message: SAME_WORDS, status: null });
  });

  test('whether a connection was closed or left waiting', async () => {
    const url = `http://127.0.0.1:${portOf(plain)}/`;
    answer = (response) => response.destroy();
    expect(await fail(url)).toEqual({ message: SAME_WORDS, status: null });
    await caller?.close();
    answer = () => undefined;
    expect(await fail(url, { timeoutMs: 100 })).toEqual({ message: SAME_WORDS, status: null });
  });
});
