// Export of suppressions, newest first, as CSV or JSON lines. Pages are sent as fast as the client reads them.
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from 'typebox';
import { suppressionExportQuery } from './suppression.schema.js';
import { csvLines, spreadsheetCell } from '../lib/rows/index.js';
import type { Scope } from '../database/scope.js';
import type { SuppressionContext } from './context.js';
import type { SuppressionFilter } from './suppressions.store.js';
import type { Api } from '../http/api.js';
import { readPieces } from '../http/lists/reading.js';
import { presentSuppression } from './suppression.view.js';
import { iso } from '../contract/time.js';
import { readSuppressionFilter } from './filter.routes.js';
import type { Suppression } from './suppressions.tables.js';

const PAGE = 1000;
const COLUMNS = ['email', 'reason', 'sub_tenant_id', 'message_id', 'created_at'] as const;

const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: csvLines([COLUMNS]),
    lines: (rows: readonly Suppression[]) => {
      const wires = rows.map(presentSuppression);
      return csvLines(wires.map((wire) => COLUMNS.map((column) => spreadsheetCell(wire[column] ?? ''))));
    },
  },
  jsonl: {
    type: 'application/x-ndjson; charset=utf-8',
    extension: 'jsonl',
    head: '',
    lines: (rows: readonly Suppression[]) =>
      rows.map((row) => `${JSON.stringify(presentSuppression(row))}\n`).join(''),
  },
};

export function suppressionExportRoute(app: Api, { store, clock }: SuppressionContext): void {
  const file = (description: string) => ({ schema: Type.Unsafe<Readable>({ type: 'string', description }) });
  app.get(
    '/v1/suppressions/export',
    {
      // A HEAD request would read the whole list and discard it.
      exposeHeadRoute: false,
      config: { reading: 'file' },
      schema: {
        operationId: 'suppressions.export',
        tags: ['Suppressions'],
        summary: 'Export suppressions',
        description:
          'Returns suppressions as CSV or newline-delimited JSON. The file can be imported again. In CSV, cells that a spreadsheet could interpret as a formula are prefixed with an apostrophe, which the import removes.',
        querystring: suppressionExportQuery,
        response: {
          200: {
            description: 'The file, newest first.',
            content: {
              'text/csv': file(`Columns: ${COLUMNS.join(', ')}.`),
              'application/x-ndjson': file('One suppression per line, as in the list operation.'),
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const format = FORMATS[request.query.format ?? formatFor(request.headers.accept ?? '')];
      const wanted = readSuppressionFilter(request.query, scope);
      const name = `suppressions-${scope.mode}-${iso(clock()).slice(0, 10)}.${format.extension}`;
      return reply
        .type(format.type)
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .send(Readable.from(wanted ? readPieces(request, exportFile(store, wanted, format)) : [format.head]));
    },
  );
}

function formatFor(accept: string): keyof typeof FORMATS {
  return /\bapplication\/(?:x-ndjson|ndjson|jsonl|json)\b/i.test(accept) && !/\btext\/csv\b/i.test(accept)
    ? 'jsonl'
    : 'csv';
}

async function* exportFile(
  store: SuppressionContext['store'],
  { scope, filter }: { scope: Scope; filter: SuppressionFilter },
  format: (typeof FORMATS)[keyof typeof FORMATS],
): AsyncGenerator<string> {
  let text = format.head;
  let after: string | null = null;
  do {
    const page = await store.suppressions.suppressions(scope, { limit: PAGE, after }, filter);
    text += format.lines(page.rows);
    if (text !== '') yield text;
    text = '';
    after = page.next;
    await nextTurn();
  } while (after !== null);
}
