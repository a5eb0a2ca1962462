import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CERTIFICATE, KEY } from './certificate.js';
import { until } from './until.js';

const NGINX = process.env['NGINX_PATH'] ?? '/usr/sbin/nginx';
export const hasNginx = existsSync(NGINX);

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts nginx on loopback with its default settings and a test's additions to `http` and its only server. */
export async function startNginx(add: { readonly http?: string; readonly server: string }): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'));
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1; user root;
     events { worker_connections 256; }
     http { access_log off; ${paths.join(' ')}
       ${(add.http ?? '').replaceAll('FOLDER', folder)}
       server { listen 127.0.0.1:${port}; ${add.server} } }`,
  );
  const child: ChildProcess = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: 'inherit',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await until('nginx to listen', () => fetch(url).then(() => true, () => false)); // prettier-ignore
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What nginx says of additions to `http`, with a certificate at the places that they name. */
export async function checkNginx(http: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'));
  try {
    writeFileSync(join(folder, 'own.pem'), CERTIFICATE);
    writeFileSync(join(folder, 'own.key'), KEY);
    const own = http.replace(/\/\S+\.(pem|key);/g, `${folder}/own.$1;`);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; error_log stderr; events {} http { access_log off;\n${own}\n}`,
    );
    const child = spawn(NGINX, ['-t', '-c', join(folder, 'nginx.conf'), '-p', folder]);
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    await new Promise<void>((resolve) => child.once('close', () => resolve()));
    return said;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A port that is currently free. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
