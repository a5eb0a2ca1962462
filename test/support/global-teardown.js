import { rmSync } from 'node:fs';
import pg from 'pg';

export default async function teardown() {
  const { embedded, dataDir, fileDir, server, template } = globalThis.__svcTest;
  for (const folder of [fileDir, `${fileDir}.data`, `${fileDir}.data.new`])
    rmSync(folder, { recursive: true, force: true });
  if (embedded) {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
    return;
  }
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  // The databases of this run: the template, the files' copies, and those created by the service.
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
    template,
  ]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  const roles = await client.query('SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)', [
    `svc_${template}`,
  ]);
  for (const { rolname } of roles.rows) await client.query(`DROP ROLE ${rolname}`);
  await client.end();
}
