import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { records } from '../../records/index.js';
import { about, integer, text } from '../description/json-schema.js';
import { COMPANY_FILTER, flagParameter, listParameter, wordParameter } from '../description/parameters.js';
import { linesOf } from '../exports/lines.js';
import { createExportReader } from '../exports/read-export.js';
import { EXPORT_PARAMETERS, METADATA, parseSelection } from '../exports/selection.js';
import type { StreamingRoute } from '../route.js';

const TYPES = { JSONL: 'application/jsonl', CSV: 'text/csv' } as const;

/** Whole lists in one answer, for clients that keep a copy. */
export function exportRoutes(executor: Executor, limits: Limits): StreamingRoute[] {
  const readExport = createExportReader(executor, limits);
  return [
    {
      method: 'GET',
      path: '/v3/core/export',
      describe: () => ({
        id: 'exportRecords',
        group: 'Changes',
        summary: 'Export records, with the position to follow changes from',
        description:
          'Each record once, ordered by type and `svc_id`, with all its lines. Continue an interrupted response with `after` and `position`.',
        parameters: [
          COMPANY_FILTER,
          listParameter(
            'data_models',
            'Record types, comma-separated; default all.',
            records.map(({ dataModel }) => dataModel),
          ),
          wordParameter('format', 'JSONL by default; CSV for one record type.', ['jsonl', 'csv']),
          wordParameter('lines', 'For CSV: the rows are these lines of the records instead of the records.', [
            ...new Set(records.flatMap((one) => linesOf(one).map(({ wire }) => wire))),
          ]),
          listParameter('select', "Metadata to add, comma-separated: the platform's raw data, its SHA-256.", [
            ...METADATA.keys(),
          ]),
          flagParameter(
            'include_deleted_records',
            'Whether to include records that were deleted on their platform.',
          ),
          {
            name: 'spreadsheet_guard',
            about:
              'For CSV: whether to prefix an apostrophe to texts that a spreadsheet would run as a formula.',
            schema: { type: 'boolean', default: true },
          },
          flagParameter(
            'byte_order_mark',
            'For CSV: whether to begin with a byte order mark, by which Excel recognises UTF-8.',
          ),
          {
            name: 'after',
            about: 'The last complete record of an interrupted response, as `INVOICES:1042`.',
            schema: { ...text, pattern: '^[A-Z_]+:[0-9]{1,16}$', maxLength: 80 },
          },
          {
            name: 'position',
            about: 'With `after`: `X-Svc-Change-Position` of the interrupted response.',
            schema: integer,
          },
        ],
        answer: about('One record per line.', text),
        types: Object.values(TYPES),
        headers: {
          'X-Svc-Change-Position': about('Position from which to follow changes after the export.', text),
        },
      }),
      query: EXPORT_PARAMETERS,
      stream: async ({ query, context }) => {
        const selection = parseSelection(query);
        const { position, parts } = await readExport(selection, context);
        return {
          headers: {
            'content-type': `${TYPES[selection.format]}; charset=utf-8`,
            'x-svc-change-position': position,
          },
          parts,
        };
      },
    },
  ];
}
