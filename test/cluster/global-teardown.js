import { rmSync } from 'node:fs';

export default async function teardown() {
  const { cluster, fileDir } = globalThis.__svcTest;
  for (const folder of [fileDir, `${fileDir}.data`, `${fileDir}.data.new`])
    rmSync(folder, { recursive: true, force: true });
  await cluster.stop();
}
