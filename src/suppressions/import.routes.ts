// Import of suppressions: the body is read as it comes, and never held as a whole.
import { suppressionImport, suppressionImportBody } from './suppression.schema.js';
import { createSuppressionImport, type SuppressionImportDeps } from './import.js';
import { readEntries } from './entries.js';
import type { Api } from '../http/api.js';
import { takeRows, withRows } from '../http/body/rows-body.js';

export interface SuppressionImportRouteDeps extends SuppressionImportDeps {
  importSizeLimitBytes: number;
}

export function suppressionImportRoute(app: Api, deps: SuppressionImportRouteDeps): void {
  const { importSizeLimitBytes: bodyLimit } = deps;
  const importSuppressions = createSuppressionImport(deps);
  // its own scope, because no other body is left to be read by its route
  void app.register((scope: Api, _options, done) => {
    takeRows(scope);
    scope.post(
      '/v1/suppressions/import',
      {
        bodyLimit,
        config: { audit: { makesMany: true }, idempotency: 'none' },
        // the body is a stream, and its entries are judged one by one
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'suppressions.import',
          tags: ['Suppressions'],
          summary: 'Import suppressions',
          description:
            'Suppresses many addresses from a CSV or JSON file. The body can be as large as `MAILKEEL_IMPORT_SIZE_LIMIT`. Entries are stored in groups of 500. If the request is interrupted, stored entries remain, and you can send the same body again. Invalid entries are counted as `failed` and do not affect the others. A body without any valid entry is rejected. With curl, use `--data-binary`.',
          body: suppressionImportBody,
          response: { 200: suppressionImport },
        },
      },
      async (request) => {
        const outcome = await withRows(request, bodyLimit, ({ pieces, ...file }) =>
          importSuppressions(request.caller.scope, readEntries(pieces, file)),
        );
        return { object: 'suppression_import' as const, ...outcome };
      },
    );
    done();
  });
}
