// A client generated from the OpenAPI document by openapi-typescript: it compiles under `strict`, and works.
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFullApi, type FullApiRig } from '../support/full-api-rig.js';

const FILE = fileURLToPath(new URL('../client/use.ts', import.meta.url));
const TYPES = fileURLToPath(new URL('../client/openapi.d.ts', import.meta.url));
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
};

let rig: FullApiRig;
beforeAll(async () => {
  rig = await startFullApi();
}, 60_000);
afterAll(() => rig.close());

/** What the compiler says of the client with these types; also where it expects an error in vain. */
function problemsWith(types: string): string[] {
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === TYPES || disk.fileExists(name),
    readFile: (name) => (name === TYPES ? types : disk.readFile(name)),
    getSourceFile: (name, ...rest) =>
      name === TYPES ? ts.createSourceFile(name, types, rest[0]) : disk.getSourceFile(name, ...rest),
  };
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ messageText, start = 0, file }) =>
        `${file?.fileName ?? ''}:${start} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

describe('the generated client', () => {
  it('compiles under strict', async () => {
    const document = (await rig.app.inject('/openapi.json')).body;
    const types = astToString(await openapiTS(document));
    expect(problemsWith(types)).toEqual([]);
  }, 60_000);

  it('asks the twenty operations that are used most', async () => {
    const key = { authorization: `Bearer ${rig.liveKey}` };
    const payload = { domain: 'customer.example' };
    const made = await rig.app.inject({ method: 'POST', url: '/v1/senders', headers: key, payload });
    const set = { status: 'verified' as const, verified_at: rig.clock() };
    const where = { id: made.json<{ id: string }>().id };
    await rig.store.commit([{ kind: 'update', table: 'senders', set, where }]);
    await rig.app.inject({
      ...{ method: 'PATCH', url: '/v1/organization', headers: key },
      payload: { postal_address: '1 High Street' },
    });
    const baseUrl = await rig.app.listen({ port: 0, host: '127.0.0.1' });
    // Not part of the program that checks the types of the tests: its own are generated above.
    const { useApi } = (await import(FILE)) as {
      useApi: (wish: { baseUrl: string; key: string; from: string }) => Promise<number>;
    };
    expect(await useApi({ baseUrl, key: rig.liveKey, from: 'news@customer.example' })).toBeGreaterThanOrEqual(
      20,
    );
  }, 60_000);
});
