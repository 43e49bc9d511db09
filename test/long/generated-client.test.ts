// Tests a client that openapi-typescript generates from the OpenAPI document: it compiles under `strict` and works.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { senders } from '../../src/domains/domains.tables.js';
import { update } from '../../src/database/rows.js';

const FILE = fileURLToPath(new URL('../client/use.ts', import.meta.url));
/** Inside the repository, where packages resolve by name. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/generated-client', import.meta.url));
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url));
const OPTIONS = {
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  ...{
    skipLibCheck: true,
    noEmit: true,
    types: [],
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  },
  ...{ module: 'NodeNext', moduleResolution: 'NodeNext' },
};

let rig: FullApiRig;
beforeAll(async () => {
  rig = await startFullApi();
}, 60_000);
afterAll(() => rig.close());

/** Returns the compiler's errors for the client with these types, including expected errors that did not occur. */
async function problemsWith(types: string): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  await Promise.all([
    writeFile(join(FOLDER, 'openapi.d.ts'), types),
    copyFile(FILE, join(FOLDER, 'use.ts')),
    writeFile(join(FOLDER, 'package.json'), JSON.stringify({ type: 'module' })),
    writeFile(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['use.ts'] })),
  ]);
  return new Promise((resolve) => {
    execFile(process.execPath, [COMPILER, '-p', FOLDER], (error, said) => {
      resolve(error === null ? said : `${error.message} ${said}`);
    });
  });
}

describe('the generated client', () => {
  it('compiles in strict mode', async () => {
    const document = (await rig.app.inject('/openapi.json')).body;
    const types = astToString(await openapiTS(document));
    expect(await problemsWith(types)).toBe('');
    const wrong = types.replace('"/v1/messages": {', '"/v1/mails": {');
    expect(await problemsWith(wrong)).toContain('use.ts(');
  }, 60_000);

  it('calls the twenty most used operations', async () => {
    const key = { authorization: `Bearer ${rig.liveKey}` };
    const payload = { domain: 'customer.example' };
    const made = await rig.app.inject({ method: 'POST', url: '/v1/senders', headers: key, payload });
    const set = { status: 'verified' as const, verified_at: rig.clock() };
    const where = { id: made.json<{ id: string }>().id };
    await rig.store.commit([update(senders, { set, where })]);
    await rig.app.inject({
      ...{ method: 'PATCH', url: '/v1/organization', headers: key },
      payload: { postal_address: '1 High Street' },
    });
    const baseUrl = await rig.app.listen({ port: 0, host: '127.0.0.1' });
    // Excluded from the type check of the tests, because its types are generated above.
    const { useApi } = (await import(FILE)) as {
      useApi: (wish: { baseUrl: string; key: string; from: string }) => Promise<number>;
    };
    expect(await useApi({ baseUrl, key: rig.liveKey, from: 'news@customer.example' })).toBeGreaterThanOrEqual(
      20,
    );
  }, 60_000);
});
