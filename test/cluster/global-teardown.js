import { rmSync } from 'node:fs';

export default async function teardown() {
  const { cluster, fileDir } = globalThis.__svcTest;
  rmSync(fileDir, { recursive: true, force: true });
  await cluster.stop();
}
