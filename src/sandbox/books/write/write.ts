import { Failure } from '../../failure.js';
import type { ApiCall, ApiHandler } from '../../gate/platform-api.js';
import { performWrite, type Written } from '../../gate/write.js';
import { header, jsonBody } from '../../http/call.js';
import type { Change } from '../../store/change.js';
import { findByParent, type ObjectRow } from '../../store/objects.js';
import { type BooksKind, rulesOf } from '../kinds.js';
import type { BooksDocument, BooksJournal, BooksObject } from '../objects.js';
import { kindOf } from '../read.js';
import { fromStored, toStored } from '../stored.js';
import { moveBalances } from './balances.js';
import type { Build } from './build.js';
import { buildDimension } from './dimensions.js';
import { buildDocument } from './documents.js';
import { Fields, Problems } from './fields.js';
import { buildLedgerAccount, buildPartner, buildProduct } from './masters.js';
import { buildBankMovement, buildJournal, buildReceipt } from './movements.js';
import { needOf } from './needed.js';
import { post } from './post.js';
import { References } from './references.js';
import { buildTaxCode } from './tax-codes.js';

const BUILDS: Partial<Readonly<Record<BooksKind, Build>>> = {
  TaxCodes: buildTaxCode,
  Dimensions: buildDimension,
  LedgerAccounts: buildLedgerAccount,
  Products: buildProduct,
  Partners: buildPartner,
  SalesOrders: buildDocument,
  SalesInvoices: buildDocument,
  SalesCreditNotes: buildDocument,
  CustomerReceipts: buildReceipt,
  PurchaseOrders: buildDocument,
  PurchaseBills: buildDocument,
  SupplierCredits: buildDocument,
  SupplierPayments: buildReceipt,
  BankMovements: buildBankMovement,
  Journals: buildJournal,
  Expenses: buildDocument,
};

/** The function that builds an object of a kind from a body. */
export function buildOf(kind: BooksKind): Build {
  const build = BUILDS[kind];
  if (build) return build;
  throw new Failure('not-supported', `${kind} cannot be written`);
}

/** `POST /{Kind}`. */
export const create: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const build = buildOf(kind);
  const body = await jsonBody(call);
  return performWrite(call, async (change) =>
    written(kind, await createObject(change, { kind, build, body }), 'create', 201),
  );
};

/** Creates an object and posts its entry. */
export async function createObject(
  change: Change,
  options: Omit<BodyOptions, 'before'>,
): Promise<BooksObject> {
  const { kind } = options;
  const object = await buildObject(change, { ...options, before: null });
  await change.insert(toStored(kind, object));
  await linkOrders(change, kind, { guid: object.Guid, before: null, after: object });
  await post(change, kind, object);
  await moveBalances(change, null, entryOf(kind, object));
  return object;
}

/** `PUT /{Kind}/{guid}`: fields in the body replace the object's. */
export const update: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const build = buildOf(kind);
  const body = await jsonBody(call);
  return performWrite(call, async (change) => {
    const row = await liveRow(change, kind, call);
    const before = fromStored<BooksObject>(row);
    refuseVoided(before);
    refuseStale(call, before);
    refusePosted(before);
    const object = await buildObject(change, { kind, build, body, before });
    await change.update(toStored(kind, object));
    await linkOrders(change, kind, { guid: object.Guid, before, after: object });
    await post(change, kind, object);
    await moveBalances(change, entryOf(kind, before), entryOf(kind, object));
    return written(kind, object, 'update', 200);
  });
};

/** Rejects an `If-Match` that is not the object's current `ChangedOn`. */
function refuseStale(call: ApiCall, { ChangedOn }: BooksObject): void {
  const expected = header(call, 'if-match');
  if (expected === null || expected === ChangedOn) return;
  throw new Failure('stale', `the object was changed on ${ChangedOn}`);
}

/** `DELETE /{Kind}/{guid}`. */
export const remove: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const { hardDelete } = rulesOf(kind);
  if (hardDelete === 'no') throw new Failure('not-supported', `${kind} cannot be deleted`);
  return performWrite(call, async (change) => {
    const object = fromStored<BooksObject>(await liveRow(change, kind, call));
    if (hardDelete === 'drafts' && (object as BooksDocument).State !== 'draft') {
      throw new Failure('in-use', 'only drafts can be deleted: void it instead');
    }
    refusePosted(object);
    const need = await needOf(change, kind, object);
    if (need !== null) throw new Failure('in-use', `${need}: set its State to closed instead`);
    await removeObject(change, kind, object.Guid);
    await linkOrders(change, kind, { guid: object.Guid, before: object, after: null });
    return { ...written(kind, object, 'delete', 204), body: '' };
  });
};

/** Deletes an object with its attachments and its ledger entry. */
export async function removeObject(change: Change, kind: BooksKind, guid: string): Promise<void> {
  await removeAlone(change, kind, guid);
  for (const below of ['Attachments', 'Journals'] as const) {
    for (const { id } of await findByParent(change.client, change.account, below, guid)) {
      await removeAlone(change, below, id);
    }
  }
}

async function removeAlone(change: Change, kind: BooksKind, guid: string): Promise<void> {
  const row = kind === 'Journals' ? await change.find(kind, guid) : null;
  await change.remove(kind, guid);
  if (row) await moveBalances(change, fromStored<BooksJournal>(row), null);
}

/** The object as a ledger entry; null for other kinds. */
const entryOf = (kind: BooksKind, object: BooksObject): BooksJournal | null =>
  kind === 'Journals' ? (object as BooksJournal) : null;

interface BodyOptions {
  readonly kind: BooksKind;
  readonly build: Build;
  readonly body: Readonly<Record<string, unknown>>;
  readonly before: BooksObject | null;
}

/** Fields that the body does not have stay as before. Throws `invalid` with all problems of the body. */
async function buildObject(change: Change, { kind, build, body, before }: BodyOptions): Promise<BooksObject> {
  const problems = new Problems();
  const isKept = (field: string) => !Object.hasOwn(body, field);
  const fields = new Fields({ ...before, ...body }, problems, '', isKept);
  const object = await build({ change, kind, fields, references: new References(change), before });
  fields.finish();
  problems.throwIfAny();
  return object;
}

/** The live object named in the path. */
export async function liveRow(change: Change, kind: BooksKind, { params }: ApiCall): Promise<ObjectRow> {
  const { guid = '' } = params;
  const row = await change.find(kind, guid);
  if (row) return row;
  throw new Failure('not-found', `${kind} has no object ${guid}`);
}

function refuseVoided(object: BooksObject): void {
  if ((object as BooksDocument).State === 'voided') {
    throw new Failure('voided', 'what is voided cannot be changed');
  }
}

/** An entry posted for a document can only be changed through the document. */
function refusePosted(object: BooksObject): void {
  if ((object as Partial<BooksJournal>).Source) {
    throw new Failure('in-use', 'the entry follows from a document: change that');
  }
}

function written(
  kind: BooksKind,
  object: BooksObject,
  operation: Written['operation'],
  status: number,
): Written {
  const body = `{"${kind}":[${JSON.stringify(object)}]}`;
  return { status, body, kind, id: object.Guid, operation, marker: object.Reference ?? null };
}

interface Following {
  readonly guid: string;
  /** Null if it is created. */
  readonly before: BooksObject | null;
  /** Null if it is deleted. */
  readonly after: BooksObject | null;
}

/** Lists an invoice or a bill with the orders that it follows, and no longer with those that it followed. */
async function linkOrders(
  change: Change,
  kind: BooksKind,
  { guid: follower, before, after }: Following,
): Promise<void> {
  if (kind !== 'SalesInvoices' && kind !== 'PurchaseBills') return;
  const [orderKind, followers] =
    kind === 'SalesInvoices'
      ? (['SalesOrders', 'Invoices'] as const)
      : (['PurchaseOrders', 'Bills'] as const);
  const ordersOf = (object: BooksObject | null) =>
    new Set(((object as BooksDocument | null)?.[orderKind] ?? []) as readonly string[]);
  const [then, now] = [ordersOf(before), ordersOf(after)];
  for (const guid of new Set([...then, ...now])) {
    if (then.has(guid) === now.has(guid)) continue;
    const row = await change.find(orderKind, guid);
    if (!row) continue;
    const order = fromStored<BooksDocument>(row);
    const others = ((order[followers] ?? []) as readonly string[]).filter((one) => one !== follower);
    const list = now.has(guid) ? [...others, follower] : others;
    const changed = { ...order, [followers]: list, ChangedOn: change.now.toISOString() };
    await change.update(toStored(orderKind, changed));
  }
}
