// Import of suppressions: the body is read as it comes, and never held as a whole.
import type { Readable } from 'node:stream';
import { Refusal } from '../contract/refusal.js';
import { suppressionImport, suppressionImportBody } from './suppression.schema.js';
import { csvEntries } from './csv-entries.js';
import { createSuppressionImport, type SuppressionImportDeps } from './import.js';
import type { ImportEntries } from './import-entry.js';
import { jsonArrayEntries, jsonLineEntries } from './json-entries.js';
import type { Api } from '../api/api.js';
import { limitedBody, mediaTypeOf } from '../api/body/streamed-body.js';

type ReadEntries = (bytes: AsyncIterable<Uint8Array>) => ImportEntries;

const READERS: Record<string, ReadEntries> = {
  'text/csv': csvEntries,
  'application/x-ndjson': jsonLineEntries,
  'application/ndjson': jsonLineEntries,
  'application/jsonl': jsonLineEntries,
  'application/json': jsonArrayEntries,
};

const OTHER_TYPE =
  'The body must be text/csv, application/x-ndjson or application/json; Content-Type says which.';

export interface SuppressionImportRouteDeps extends SuppressionImportDeps {
  bodyLimitBytes: number;
}

export function suppressionImportRoute(app: Api, deps: SuppressionImportRouteDeps): void {
  const { bodyLimitBytes: bodyLimit } = deps;
  const importSuppressions = createSuppressionImport(deps);
  // its own scope, because no other body is left to be read by its route
  void app.register((scope: Api, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(Object.keys(READERS), (_request, body, parsed) => parsed(null, body));
    scope.addContentTypeParser('*', (_request, _body, parsed) => {
      parsed(new Refusal('unsupported_media_type', OTHER_TYPE));
    });
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
          summary: 'Suppress many addresses at once, from CSV or JSON',
          description:
            'The body may be 50 MiB large. Entries are kept 500 at a time: when the request ends early, those that ' +
            'were kept stay, and the same body can be sent again. An entry that is wrong is counted as `failed` and ' +
            'keeps no other from being added. A body in which no entry can be read is refused. With curl use `--data-binary`.',
          body: suppressionImportBody,
          response: { 200: suppressionImport },
        },
      },
      async (request) => {
        const body = request.body as Readable | undefined;
        const read = READERS[mediaTypeOf(request)];
        if (!body || !read) throw new Refusal('unsupported_media_type', OTHER_TYPE);
        const entries = read(limitedBody(body, bodyLimit));
        const outcome = await importSuppressions(request.caller.scope, entries);
        return { object: 'suppression_import' as const, ...outcome };
      },
    );
    done();
  });
}
