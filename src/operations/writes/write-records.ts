import { setTimeout as wait } from 'node:timers/promises';

import { connectorFor, connectorsOf } from '../../connectors/index.js';
import type { Connector } from '../../connectors/connector.js';
import { hashPlatformObject } from '../../connectors/values/data-hash.js';
import { BYTES_TYPE } from '../../connectors/inputs/files.js';
import type { NamedRecord } from '../../connectors/inputs/schema.js';
import { parsePlatformJson, stringifyPlatformJson } from '../../connectors/values/platform-json.js';
import { expectedVersionOf, formOf, type PushResource, type WriteForm } from '../../connectors/push.js';
import type { Context } from '../../context.js';
import { afterStoring, mayBeStored } from '../../db/database-error.js';
import { AppError, invalid, passingConflict, type WriteProblem } from '../../errors.js';
import { document } from '../../records/index.js';
import { RawJson } from '../../base/raw-json.js';
import type { RunKey } from '../../runs/lease.js';
import { accessFor, requireAccess } from '../../platforms/scope-access.js';
import { addUpload, type NewItem } from '../../writes/add-upload.js';
import { checkItem, type CheckedItem } from '../../writes/checks/check-item.js';
import { removeItemFiles } from '../../writes/item-files.js';
import { type KnownReferences, loadReferences } from '../../store/references.js';
import { type Candidate, pickConnection } from '../connections/choose-connection.js';
import { comparableItem, type GivenItem, givenItems, keepContents, type Write } from './given-items.js';
import { localDocument, localDocumentForm } from './local-documents.js';
import { requireCompany } from '../companies/require-company.js';
import { requireScope } from '../keys/require-scope.js';
import { type ListedUpload, type PlannedRequest, type ShownItem, stopWaiting, uploadOf } from './uploads.js';

/** An upload with its results so far, or what it would send. */
export interface WriteResult {
  readonly connectionId: number;
  readonly upload: ListedUpload | null;
  /** The key was used before: this is the earlier result. */
  readonly isReplayed: boolean;
  /** Items of a dry run. */
  readonly planned: readonly ShownItem[] | null;
}

/**
 * Writes records through the connection of the record type's category: validates them, stores them durably, and waits
 * for the platform's response to each. Throws `missing-params`, `invalid-params`, `not-found`, `operation-denied`,
 * `connection-expired`, and for the idempotency key `conflict` while it is in use and `idempotency-key-reused`.
 */
export async function writeRecords(context: Context, write: Write): Promise<WriteResult> {
  requireScope(context, 'write', 'write records');
  const { definition, companyId, idempotencyKey } = write;
  if (write.integrationType != null) connectorsOf(write.integrationType);
  checkCount(context, write.items);
  if (idempotencyKey !== null) checkKey(idempotencyKey);
  await requireCompany(context.client, companyId, 'companyId');
  const given = givenItems(context, write);
  const requestHash = hashOf({ ...write, items: given.map(comparableItem) });
  if (idempotencyKey !== null && !write.dryRun) {
    const known = await replayOf(context, { companyId, key: idempotencyKey }, requestHash);
    if (known) return known;
  }
  const connection = await pickConnection(context.client, { ...write, category: definition.category });
  const connector = connectorFor(connection.integrationType, connection.category);
  const isSent = given.some((one) => !isLocal(write, one));
  const pushing = isSent ? formFor(connector, write) : null;
  if (pushing) {
    const { category } = connection;
    await requireAccess(context.client, {
      svcCompanyId: companyId,
      category,
      operations: accessFor(write.operation, { isCompared: given.some(expectsVersion) }),
      dataModels: [definition.dataModel],
    });
  }
  const { checked, references } = await checkItems(context, { write, given, connection, pushing });
  if (write.dryRun) {
    const planned = checked.map((item, index) =>
      plan(item, { write, connection, references, pushing, given: given[index], position: index }),
    );
    return { connectionId: connection.svcId, upload: null, isReplayed: false, planned };
  }
  return storeWrite(context, { write, given, checked, connection, requestHash });
}

interface CheckedWrite {
  readonly write: Write;
  readonly given: readonly GivenItem[];
  readonly checked: readonly CheckedItem[];
  readonly connection: Candidate;
  readonly requestHash: string;
}

/** Stores a write, after its files, and waits for its end as long as its caller does. */
async function storeWrite(context: Context, checkedWrite: CheckedWrite): Promise<WriteResult> {
  const { write, given, checked, connection, requestHash } = checkedWrite;
  const { companyId, idempotencyKey } = write;
  const files = await keepContents(
    context,
    companyId,
    checked.map(({ value }, index) => ({
      content: value ? (given[index]?.content ?? null) : null,
      contentType: typeof value?.['file_type'] === 'string' ? value['file_type'] : BYTES_TYPE,
    })),
  );
  const waitMs = write.runAsync ? 0 : context.limits.writeWaitMilliseconds;
  const key = await addUpload(context.sql, context.log, {
    svcCompanyId: companyId,
    connectionId: connection.svcId,
    integrationType: connection.integrationType,
    category: connection.category,
    dataModel: write.definition.dataModel,
    operation: write.operation,
    items: checked.map((item, index) => {
      const { value } = item;
      const one = given[index];
      const record = value && one && isLocal(write, one) ? localDocument(value) : null;
      return { ...newItem(item, one?.item), file: files[index] ?? null, record };
    }),
    waitMs,
    idempotencyKey,
    requestHash,
  }).catch(async (error: unknown) => {
    // The upload may have been stored, and needs them.
    if (!mayBeStored(error)) await removeItemFiles(context.files.store, files);
    throw error;
  });
  if (key === null) {
    await removeItemFiles(context.files.store, files);
    // Another request has just used the key.
    const known = await replayOf(context, { companyId, key: idempotencyKey ?? '' }, requestHash);
    if (known) return known;
    throw passingConflict('the idempotency key is in use; try again', 'idempotencyKey');
  }
  return {
    connectionId: connection.svcId,
    upload: await afterStoring(waitForEnd(context, key, waitMs)),
    isReplayed: false,
    planned: null,
  };
}

function checkCount({ limits }: Context, items: readonly unknown[]): void {
  if (items.length === 0) {
    throw new AppError('missing-params', 'Send one item or more', 'data');
  }
  if (items.length <= limits.writeItems) return;
  throw invalid('data', `accepts at most ${limits.writeItems} items, got ${items.length}`);
}

function checkKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return;
  throw invalid('idempotencyKey', 'must be 1 to 255 printable ASCII characters');
}

/** Hash by which two requests are the same. */
function hashOf(write: Write): string {
  const { definition, idempotencyKey: _key, dryRun: _dryRun, ...asked } = write;
  const text = stringifyPlatformJson({ ...asked, dataModel: definition.dataModel });
  // Not JSON.parse: it turns numbers beyond a double into Infinity, and drops digits of others.
  return hashPlatformObject(parsePlatformJson(text).value);
}

interface KeyRow extends RunKey {
  readonly requestHash: string;
  readonly isOpen: boolean;
}

/** The earlier result of a company's key; null if the key is new. */
async function replayOf(
  context: Context,
  { companyId, key }: { readonly companyId: number; readonly key: string },
  requestHash: string,
): Promise<WriteResult | null> {
  const query = context.sql.query();
  const [row] = await context.sql.rows<KeyRow>(
    query,
    `SELECT t.svc_company_id AS "svcCompanyId", t.upload_svc_id AS "svcId", t.request_hash AS "requestHash",
       u.ended_at IS NULL AND u.answer_by > now() AS "isOpen"
     FROM idempotency_keys t
     JOIN uploads u ON u.svc_company_id = t.svc_company_id AND u.svc_id = t.upload_svc_id
     WHERE ${query.rowsOf(companyId, 'key', key)}`,
  );
  if (!row) return null;
  if (row.requestHash !== requestHash) {
    const message = 'the idempotency key was used for another request: use a new one';
    throw new AppError('idempotency-key-reused', message, 'idempotencyKey');
  }
  if (row.isOpen) {
    const message = 'a request with this idempotency key is in progress; try again in a moment';
    throw passingConflict(message, 'idempotencyKey');
  }
  const upload = await uploadOf(context.sql, row);
  return upload && { connectionId: upload.connectionId, upload, isReplayed: true, planned: null };
}

/** Items that are only stored here: a document without its file has nothing to send. */
const isLocal = ({ definition, operation }: Write, { content, problem }: GivenItem): boolean =>
  definition === document && operation === 'CREATE' && content === null && problem === null;

/** Whether the record at the platform is to be compared with what the caller saw. */
const expectsVersion = ({ item }: GivenItem): boolean =>
  typeof item === 'object' && item !== null && expectedVersionOf({ ...item }) !== null;

interface WriteTarget {
  readonly push: PushResource;
  readonly form: WriteForm;
}

function formFor(connector: Connector, { definition, operation }: Write): WriteTarget {
  const push = connector.push?.resources.find((one) => one.definition.dataModel === definition.dataModel);
  const form = formOf(push, operation);
  if (push && form) return { push, form };
  const can = (connector.push?.resources ?? [])
    .filter((one) => (operation === 'CREATE' ? one.create : one.update) !== null)
    .map((one) => one.definition.dataModel)
    .join(', ');
  const verb = operation === 'CREATE' ? 'create' : 'update';
  throw new AppError(
    'operation-denied',
    `Operation Denied: ${connector.title} cannot ${verb} ${definition.dataModel}; it can ${verb} ${can || 'nothing'}`,
  );
}

interface CheckOptions {
  readonly write: Write;
  readonly given: readonly GivenItem[];
  readonly connection: Candidate;
  /** Null if nothing is sent. */
  readonly pushing: WriteTarget | null;
}

async function checkItems(
  context: Context,
  { write, given, connection, pushing }: CheckOptions,
): Promise<{ readonly checked: readonly CheckedItem[]; readonly references: KnownReferences }> {
  const items = given.map((one): CheckedItem => {
    const { item, problem } = one;
    if (problem) return { value: null, problem, warnings: [], named: [] };
    const form = (isLocal(write, one) ? null : pushing?.form) ?? localDocumentForm;
    return checkItem(form, item, write.operation);
  });
  const target = { svcCompanyId: write.companyId, connectionId: connection.svcId };
  const named = items.flatMap((item) => item.named);
  const references = await loadReferences(context.sql, target, named, pushing?.push.reads ?? []);
  const checked = items.map((item) => {
    const unknown = item.named.filter((one) => !references.isKnown(one.dataModel, one.platformId));
    const [first] = unknown;
    if (!first) return item;
    const missing = ({ dataModel, platformId }: NamedRecord) =>
      `${dataModel} record ${platformId.slice(0, 100)} is known here`;
    if (!write.strict) {
      const warnings = unknown.map((one) => ({ words: `no ${missing(one)}`, path: one.path }));
      return { ...item, warnings: [...item.warnings, ...warnings] };
    }
    const problem: WriteProblem = {
      code: 'invalid-params',
      words: `No ${missing(first)}`,
      path: first.path,
      platformError: null,
    };
    return { ...item, value: null, problem };
  });
  return { checked, references };
}

type ItemContent = Omit<NewItem, 'file' | 'record'>;

function newItem({ value, problem, warnings }: CheckedItem, given: unknown): ItemContent {
  return { input: value ?? given, warnings, problem };
}

/** Placeholder: the marker is unknown before the item has a job. */
const NO_MARKER = 'svc-...';

interface PlanOptions {
  readonly write: Write;
  readonly connection: Candidate;
  readonly references: KnownReferences;
  readonly pushing: WriteTarget | null;
  readonly given: GivenItem | undefined;
  readonly position: number;
}

function plan(
  item: CheckedItem,
  { write, connection, references, pushing, given, position }: PlanOptions,
): ShownItem {
  const { value } = item;
  const { input, problem, warnings } = newItem(item, given?.item);
  const form = given && isLocal(write, given) ? null : pushing?.form;
  return {
    svcId: null,
    jobId: null,
    uploadId: null,
    svcCompanyId: write.companyId,
    connectionId: connection.svcId,
    integrationType: connection.integrationType,
    dataModel: write.definition.dataModel,
    operation: write.operation,
    position,
    status: value ? 'PLANNED' : 'FAILED',
    error: problem,
    warnings,
    input,
    request: value && form ? planRequest(form, value, references) : null,
    attempts: 0,
    dueAt: null,
    platformId: null,
    startedAt: null,
    endedAt: null,
    svcCreatedAt: null,
    svcUpdatedAt: null,
  };
}

/** The request to show. Its body is JSON text, which keeps all digits of amounts. */
function planRequest(
  form: WriteForm,
  value: Readonly<Record<string, unknown>>,
  references: KnownReferences,
): PlannedRequest {
  const { body, ...request } = form.toRequest(value, { references, marker: NO_MARKER, current: null });
  return { ...request, body: body && new RawJson(stringifyPlatformJson(body)) };
}

const FIRST_LOOK_MS = 4;
const MAX_LOOK_MS = 200;

/** Waits until the upload has ended or its caller no longer waits. */
async function waitForEnd(context: Context, key: RunKey, waitMs: number): Promise<ListedUpload> {
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, MAX_LOOK_MS)) {
    const upload = await uploadOf(context.sql, key);
    if (!upload) throw new AppError('not-found', 'the company was removed meanwhile', 'companyId');
    if (upload.endedAt !== null || waitMs === 0) return upload;
    if (!upload.isWaitedFor || context.stopping.aborted) {
      // It continues without its caller, here or elsewhere.
      if (await stopWaiting(context.sql, key, upload)) return upload;
    } else {
      await wait(pause);
    }
  }
}
