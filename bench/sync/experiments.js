import { connect, control, ended, makeCompany, sync } from '../platforms-rig.js';
import { cpuOf, memoryOf, parentOf } from '../usage.js';

const say = (text) => process.stdout.write(`${text}\n`);

/** One company: a full sync, one without changes, one with 1 % changed, one with deletions. */
export async function firstSync(rig, records) {
  const company = await makeCompany(rig, 'large', records);
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(rig.service.pid))), 200);
  const { rows } = await rig.client.query('SELECT pg_backend_pid() AS pid');
  const server = parentOf(rows[0].pid);
  const used = () => [rig.service.pid, rig.sandbox.pid, server].map(cpuOf);
  let before = used();
  const tell = (title, run) => {
    const after = used();
    // Service, sandbox and database share the cores: this separates their CPU.
    const [worker, sandbox, database] = after.map((now, place) => ((now - before[place]) / 1000).toFixed(1));
    before = after;
    say(
      `${title.padEnd(28)} ${run.state} ${run.seconds.toFixed(1)} s: ${run.read} read (${Math.round(run.read / run.seconds)}/s), ` +
        `${run.created} created, ${run.updated} updated, ${run.deleted} deleted; worker at most ${Math.round(peak)} MB; ` +
        `CPU: worker ${worker} s, sandbox ${sandbox} s, database ${database} s`,
    );
  };
  try {
    const { syncSvcId, connectionId } = await connect(rig, company);
    tell('first sync', await ended(rig, syncSvcId));
    tell(
      'full, nothing changed',
      await ended(rig, await sync(rig, company, connectionId, { fullSync: true })),
    );
    // Otherwise the overlap of two minutes would read everything again.
    await rig.client.query(
      `UPDATE sync_marks SET pulled_to = now() + interval '1 hour' WHERE connection_id = $1`,
      [connectionId],
    );
    tell('incremental, nothing changed', await ended(rig, await sync(rig, company, connectionId)));
    const settle = `UPDATE sync_marks SET pulled_to = clock_timestamp() + interval '2 minutes' WHERE connection_id = $1`;
    await rig.client.query(settle, [connectionId]);
    await control(rig, 'POST', '/mutate', {
      account: 'large',
      platform: 'accounting',
      share: 0.01,
      deletes: 0,
      voids: 0,
      seed: 1,
    });
    tell('incremental, 1 % changed', await ended(rig, await sync(rig, company, connectionId)));
    const deletes = Math.round(records / 1000);
    await control(rig, 'POST', '/mutate', {
      account: 'large',
      platform: 'accounting',
      share: 0,
      deletes,
      voids: 0,
      seed: 2,
    });
    tell('full, deletions', await ended(rig, await sync(rig, company, connectionId, { fullSync: true })));
  } finally {
    clearInterval(watch);
  }
}

/** Incremental syncs of many small companies, queued together, that find nothing. */
export async function quietSyncs(rig, count) {
  const connected = [];
  for (let index = 0; index < count; index += 1) {
    const company = await makeCompany(rig, `quiet-${index}`, 20);
    connected.push({ company, ...(await connect(rig, company)) });
  }
  for (const { syncSvcId } of connected) await ended(rig, syncSvcId);
  // As if the first ones were long ago.
  await rig.client.query(`UPDATE sync_marks SET pulled_to = now() + interval '1 hour'`);
  await rig.client.query(`UPDATE syncs SET started_at = started_at + interval '1 hour'`);
  const server = parentOf((await rig.client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
  const used = () => [rig.service.pid, rig.sandbox.pid, server].map(cpuOf);
  const before = used();
  const began = Date.now();
  const syncs = [];
  for (const { company, connectionId } of connected) syncs.push(await sync(rig, company, connectionId));
  for (const syncSvcId of syncs) await ended(rig, syncSvcId);
  const seconds = (Date.now() - began) / 1000;
  const [worker, sandbox, database] = used().map((now, place) => ((now - before[place]) / count).toFixed(0));
  say(
    `${count} syncs that find nothing: ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(1)}/s; ` +
      `CPU of each: worker ${worker} ms, sandbox ${sandbox} ms, database ${database} ms`,
  );
}

/** Syncs many companies in parallel, first all alive, then with one hanging, to see what the others lose. */
export async function fairness(rig, count) {
  const alive = await round(rig, 'alive', count, count);
  const others = await round(rig, 'onedead', count, count - 1);
  say(
    `${count} connections at once: ${Math.round(alive)} records/s; with one dead, the other ${count - 1}: ` +
      `${Math.round(others)} records/s (${Math.round((100 * others * count) / (alive * (count - 1)))} % of their share)`,
  );
}

async function round(rig, name, count, living) {
  const companies = [];
  for (let index = 0; index < count; index += 1)
    companies.push(await makeCompany(rig, `${name}-${index}`, 1000));
  const connected = [];
  const began = Date.now();
  for (const company of companies) connected.push(await connect(rig, company));
  for (const dead of companies.slice(living)) {
    await control(rig, 'POST', `/accounts/${dead.id}/dead`, { mode: 'hang' });
  }
  const runs = await Promise.all(connected.slice(0, living).map(({ syncSvcId }) => ended(rig, syncSvcId)));
  const seconds = (Date.now() - began) / 1000;
  return runs.reduce((sum, run) => sum + run.read, 0) / seconds;
}
