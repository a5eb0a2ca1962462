import { rmSync } from 'node:fs';
import pg from 'pg';

export default async function teardown() {
  const { embedded, dataDir, fileDir, server, names } = globalThis.__svcTest;
  rmSync(fileDir, { recursive: true, force: true });
  if (embedded) {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
    return;
  }
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.end();
}
