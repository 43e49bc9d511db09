// The report of an account import as a file.
import { csvLines, spreadsheetCell } from '../lib/rows/index.js';
import type { Translate } from '../lib/wording/index.js';
import type { AccountImport } from './account-imports.tables.js';
import type { AccountImportStores } from './stores.js';

const PAGE = 500;

/** Yields CSV with the problems translated. */
export async function* reportFile(
  { accountImports }: Pick<AccountImportStores, 'accountImports'>,
  { id, report_lines: count }: AccountImport,
  translate: Translate,
): AsyncGenerator<string> {
  yield csvLines([['kind', 'external_id', 'name', 'line', 'problem']]);
  for (let after = 0; after < count; after += PAGE) {
    const lines = await accountImports.reportLines(id, after, PAGE);
    yield csvLines(
      lines
        .filter(({ number }) => number <= after + PAGE)
        .map(({ kind, external_id, name, line, problem }) =>
          [kind, external_id, name, line === null ? '' : String(line), translate(problem)].map(
            spreadsheetCell,
          ),
        ),
    );
  }
}
