import { type Context, renewContext } from '../../context.js';
import { AppError } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { heldPage, type HeldPage } from '../../db/rows/held-pages.js';
import type { RecordDefinition } from '../../records/index.js';
import { listOperation, type ListResult, type ListVariables, selectionText } from '../operation.js';
import { type PreparedOperation, prepareOperation } from '../prepared.js';
import { remember } from '../remember.js';
import { recordShape, type Shape } from '../shape.js';
import { createWriter, writeText } from '../writer.js';
import { csvTable } from './csv.js';
import { linesOf } from './lines.js';
import type { ExportSelection } from './selection.js';

/** Records per statement, and in memory; platform JSON may be large. */
const PAGE_SIZE = 1000;
const RAW_PAGE_SIZE = 100;

/** A running export: records read later are as new as its position, or newer. */
interface Export {
  /** A reader who follows changes from here misses nothing that is not in it. */
  readonly position: string;
  readonly parts: AsyncGenerator<string>;
}

type ExportReader = (selection: ExportSelection, context: Context) => Promise<Export>;

type Node = Readonly<Record<string, unknown>> & { readonly svc_id: number };
/** Selection of a record type, and its writer. */
interface Part extends NodeWriter {
  readonly selection: ExportSelection;
  readonly operation: PreparedOperation<ListResult, ListVariables>;
  readonly context: Context;
}

/** A page as it is sent. */
interface Records {
  readonly text: string;
  /** The svc_id after which the next page starts; null on the last page. */
  readonly last: number | null;
  readonly position: string;
}

const NOTHING = heldPage<Records>({ text: '', last: null, position: '0' }, () => undefined);

/** Options that determine the GraphQL operation for a record type. */
type TypeOptions = Pick<ExportSelection, 'select' | 'includeDeleted'> & {
  readonly definition: RecordDefinition;
};

/**
 * Reads records in pages by svc_id, each with separate statements: no transaction stays open, and a reader may be slow.
 * The position of the change log is read before the first record.
 */
export function createExportReader(executor: Executor, limits: Limits): ExportReader {
  const max = limits.expandedRecords;
  const typeFor = remember(
    ({ definition, select, includeDeleted }: TypeOptions) => {
      const expand = linesOf(definition).flatMap(({ name, isExpanded }) => (isExpanded ? [name] : []));
      const shape = recordShape(definition, { style: 'v3', expand, select, includeDeleted });
      const parts = { count: false, changePosition: true, cursors: false };
      const document = listOperation(definition, selectionText(shape, max), parts);
      return { shape, operation: prepareOperation(executor, document) };
    },
    ({ definition, select, includeDeleted }) => [definition.model, ...select, includeDeleted].join(' '),
  );

  const partOf = (selection: ExportSelection, definition: RecordDefinition, context: Context): Part => {
    const { select, includeDeleted } = selection;
    const { shape, operation } = typeFor({ definition, select, includeDeleted });
    return { selection, operation, context, ...writerOf(selection, definition, shape, max) };
  };

  // A list without an order is sorted by svc_id.
  const readPage = async (part: Part, after: number): Promise<HeldPage<Records>> => {
    const { selection, operation, write, context } = part;
    const { select, includeDeleted, companyId } = selection;
    const size = sizeOf(select);
    const filter = after > 0 ? { svcId: { gt: after } } : null;
    const variables = { companyId, includeDeleted, filter, first: size };
    const read = await context.pages.read(context.stopping, async (held) => {
      const { page } = await operation.run(variables, renewContext(context, held));
      const nodes = page.nodes as Node[];
      // The text only: the records would take several times its memory.
      const text = nodes.map(write).join('');
      const last = nodes.length === size ? (nodes.at(-1)?.svc_id ?? null) : null;
      return { text, last, position: page.changePosition ?? '0' };
    });
    if (!read) throw new AppError('service-unavailable', 'the service is stopping');
    return read;
  };

  async function* readParts(
    selection: ExportSelection,
    start: HeldPage<Records>,
    context: Context,
  ): AsyncGenerator<string> {
    const { definitions, continued } = selection;
    let page = start;
    let next: Promise<HeldPage<Records>> | null = null;
    try {
      for (const [index, definition] of definitions.entries()) {
        const part = partOf(selection, definition, context);
        if (continued === null && part.head !== '') yield part.head;
        if (index > 0) page = await readPage(part, 0);
        for (;;) {
          const { last } = page.result;
          // While this page is sent.
          next = last === null ? null : readPage(part, last);
          next?.catch(() => undefined);
          if (page.result.text !== '') yield page.result.text;
          page.release();
          if (!next) break;
          page = await next;
        }
      }
    } finally {
      page.release();
      void next?.then(
        ({ release }) => release(),
        () => undefined,
      );
    }
  }

  return async (selection, context) => {
    const [definition] = selection.definitions;
    if (!definition) return { position: '0', parts: readParts(selection, NOTHING, context) };
    const start = await readPage(partOf(selection, definition, context), selection.continued?.svcId ?? 0);
    const position = selection.continued?.position ?? start.result.position;
    return { position, parts: readParts(selection, start, context) };
  };
}

const sizeOf = (select: readonly string[]): number =>
  select.includes('rawData') ? RAW_PAGE_SIZE : PAGE_SIZE;

const BYTE_ORDER_MARK = '\ufeff';

interface NodeWriter {
  readonly head: string;
  readonly write: (node: Node) => string;
}

function writerOf(
  { format, lines, isGuarded, hasByteOrderMark }: ExportSelection,
  definition: RecordDefinition,
  shape: Shape,
  max: number,
): NodeWriter {
  if (format === 'JSONL') {
    const before = `{"data_model":${writeText(definition.dataModel)},"data":`;
    const write = createWriter(shape, max);
    return { head: '', write: (node) => `${before}${write(node)}}\n` };
  }
  const mark = hasByteOrderMark ? BYTE_ORDER_MARK : '';
  if (lines === null) {
    const { head, row } = csvTable(shape, { isGuarded });
    return { head: mark + head, write: row };
  }
  const relation = shape.find(({ graphql }) => graphql === lines);
  if (!relation || !('shape' in relation)) throw new Error(`${definition.model} shows no ${lines}`);
  const { head, row } = csvTable(relation.shape, { isGuarded, before: ['parent_svc_id', 'line_number'] });
  const rowsOf = (node: Node) => (node[relation.wire] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return {
    head: mark + head,
    write: (node) =>
      rowsOf(node)
        .map((line, index) => row({ ...line, parent_svc_id: node.svc_id, line_number: index + 1 }))
        .join(''),
  };
}
