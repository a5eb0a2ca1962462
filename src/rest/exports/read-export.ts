import { type Context, renewed } from '../../context.js';
import { AppError } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import type { RecordDefinition } from '../../records/index.js';
import { listOperation, selectionText } from '../operation.js';
import { prepareOperation } from '../prepared.js';
import { remember } from '../remember.js';
import { recordShape, type Shape } from '../shape.js';
import { createWriter, writeText } from '../writer.js';
import { csvTable } from './csv.js';
import { linesOf } from './lines.js';
import type { ExportSelection } from './selection.js';

/** Records in a statement, and in memory; what platforms sent may be large. */
const PAGE_SIZE = 1000;
const RAW_PAGE_SIZE = 100;

/** An export on its way: what is read of it later is as new as its position, or newer. */
interface Export {
  /** A reader who follows changes from here misses nothing that is not in it. */
  readonly position: string;
  readonly parts: AsyncGenerator<string>;
}

type ExportReader = (selection: ExportSelection, context: Context) => Promise<Export>;

type Node = Readonly<Record<string, unknown>> & { readonly svc_id: number };
interface Page {
  readonly nodes: readonly Node[];
  readonly position: string;
}

/** What the operation of a record type follows from. */
type TypeOptions = Pick<ExportSelection, 'select' | 'includeDeleted'> & {
  readonly definition: RecordDefinition;
};

/**
 * Reads records by pages of their svc_ids, each by statements of its own: no transaction stays open, and a reader may take
 * its time. The position of the change log is read before the first record.
 */
export function createExportReader(executor: Executor, limits: Limits): ExportReader {
  const most = limits.expandedRecords;
  const typeFor = remember(
    ({ definition, select, includeDeleted }: TypeOptions) => {
      const expand = linesOf(definition).flatMap(({ name, isExpanded }) => (isExpanded ? [name] : []));
      const shape = recordShape(definition, { style: 'v3', expand, select, includeDeleted });
      const parts = { count: false, changePosition: true, cursors: false };
      const document = listOperation(definition, selectionText(shape, most), parts);
      return { shape, operation: prepareOperation(executor, document) };
    },
    ({ definition, select, includeDeleted }) => [definition.model, ...select, includeDeleted].join(' '),
  );

  // A list without an order is one of svc_ids.
  const readPage = async (
    definition: RecordDefinition,
    after: number,
    { select, includeDeleted, companyId }: ExportSelection,
    context: Context,
  ): Promise<Page> => {
    const { page } = await typeFor({ definition, select, includeDeleted }).operation.run(
      {
        companyId,
        includeDeleted,
        filter: after > 0 ? { svcId: { gt: after } } : null,
        first: sizeOf(select),
      },
      renewed(context),
    );
    return { nodes: page.nodes as Node[], position: page.changePosition ?? '0' };
  };

  async function* readParts(
    selection: ExportSelection,
    start: Page,
    context: Context,
  ): AsyncGenerator<string> {
    const { definitions, select, includeDeleted, continued } = selection;
    let page = start;
    for (const [index, definition] of definitions.entries()) {
      const { shape } = typeFor({ definition, select, includeDeleted });
      const { head, write } = writerOf(selection, definition, shape, most);
      if (continued === null && head !== '') yield head;
      if (index > 0) page = await readPage(definition, 0, selection, context);
      for (;;) {
        const last = page.nodes.at(-1);
        const hasMore = last !== undefined && page.nodes.length === sizeOf(select);
        if (context.stopping.aborted) throw new AppError('service-unavailable', 'the service stops');
        // While this page is written and sent.
        const next = hasMore ? readPage(definition, last.svc_id, selection, context) : null;
        next?.catch(() => undefined);
        if (last) yield page.nodes.map(write).join('');
        if (!next) break;
        page = await next;
      }
    }
  }

  return async (selection, context) => {
    const [first] = selection.definitions;
    if (!first) return { position: '0', parts: readParts(selection, { nodes: [], position: '0' }, context) };
    const start = await readPage(first, selection.continued?.svcId ?? 0, selection, context);
    const position = selection.continued?.position ?? start.position;
    return { position, parts: readParts(selection, start, context) };
  };
}

const sizeOf = (select: readonly string[]): number =>
  select.includes('rawData') ? RAW_PAGE_SIZE : PAGE_SIZE;

interface NodeWriter {
  readonly head: string;
  readonly write: (node: Node) => string;
}

function writerOf(
  { format, lines, isGuarded }: ExportSelection,
  definition: RecordDefinition,
  shape: Shape,
  most: number,
): NodeWriter {
  if (format === 'JSONL') {
    const before = `{"data_model":${writeText(definition.dataModel)},"data":`;
    const write = createWriter(shape, most);
    return { head: '', write: (node) => `${before}${write(node)}}\n` };
  }
  if (lines === null) {
    const { head, row } = csvTable(shape, { isGuarded });
    return { head, write: row };
  }
  const relation = shape.find(({ graphql }) => graphql === lines);
  if (!relation || !('shape' in relation)) throw new Error(`${definition.model} shows no ${lines}`);
  const { head, row } = csvTable(relation.shape, { isGuarded, before: ['parent_svc_id', 'line_number'] });
  const rowsOf = (node: Node) => (node[relation.wire] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return {
    head,
    write: (node) =>
      rowsOf(node)
        .map((line, index) => row({ ...line, parent_svc_id: node.svc_id, line_number: index + 1 }))
        .join(''),
  };
}
