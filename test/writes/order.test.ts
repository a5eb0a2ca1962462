import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

const CONTACTS = '/v3/accounting/contacts';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;
let made = 0;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '60000' });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

/** A contact whose changes the platform answers so often with a fault. */
async function createContact(faults: number) {
  made += 1;
  const { body } = await books.write(CONTACTS, [{ name: `Order Vale ${made}`, contact_type: 'VENDOR' }]);
  const { svc_id, platform_id } = body.data as { svc_id: number; platform_id: string };
  if (faults > 0) {
    const path = `/accounting/api/2/Partners/${platform_id}`;
    const rules = [{ path, method: 'PUT', fault: '500', count: faults }];
    await control(sandbox, 'POST', '/faults', { rules });
  }
  return {
    change: (...names: readonly string[]) => names.map((contact_name) => ({ platform_id, contact_name })),
    name: async () => (await books.caller.get(`${CONTACTS}/${svc_id}`)).body.data.contact_name,
  };
}

async function put(data: readonly object[]): Promise<string> {
  const { body } = await books.caller.put(CONTACTS, { company_id: books.companyId, run_async: true, data });
  return body.sync_id;
}

test('changes of one record in an upload are carried out in their order, though the first is tried again', async () => {
  const [contact, other] = [await createContact(1), await createContact(0)];
  const changes = [...contact.change('first', 'second'), ...other.change('third')];
  expect((await books.untilOver(await put(changes))).status).toBe('SUCCESS');
  expect([await contact.name(), await other.name()]).toEqual(['second', 'third']);
});

test('changes of one record in two uploads are carried out in order, while other uploads continue', async () => {
  const [contact, other] = [await createContact(3), await createContact(0)];
  const first = await put(contact.change('first'));
  const second = await put([...contact.change('second'), ...other.change('third')]);
  expect((await books.untilOver(second)).status).toBe('SUCCESS');
  expect((await books.untilOver(first)).status).toBe('SUCCESS');
  expect([await contact.name(), await other.name()]).toEqual(['second', 'third']);
});
