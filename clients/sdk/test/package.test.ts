// Tests the installed package: its files, its types for both kinds of module, its size, and an edge runtime.
import { readFileSync } from 'node:fs';
import { EdgeVM } from '@edge-runtime/vm';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { list } from 'tar';
import { describe, expect, it } from 'vitest';
import { isFullSize } from '../../../test/support/run-size.js';
import { answering, startScriptedServer } from './support/scripted-server.js';

const FOLDER = 'clients/sdk';
const TARBALL = 'dist/sdk.tgz';
const MOST_GZIPPED = 20 * 1024;

interface Manifest {
  name: string;
  dependencies?: object;
}
const manifest = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8')) as Manifest;

/** Bundles the package into one script, as for a page or the edge; returns its imports as well. */
async function bundled(options: { format: 'esm' | 'iife'; globalName?: string }) {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${FOLDER}/dist/esm/index.js`],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    target: 'es2022',
    external: ['@react-email/render'],
    ...options,
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return { text: outputFiles[0]?.text ?? '', imports: imports.map(({ kind, path }) => `${kind} ${path}`) };
}

describe('the package', () => {
  it('depends on nothing', () => {
    expect(manifest.dependencies).toBeUndefined();
  });

  it('contains only its files', async () => {
    const files: string[] = [];
    await list({ file: TARBALL, onReadEntry: ({ path, type }) => type === 'File' && files.push(path) });
    const outside = files.filter(
      (path) => !/^package\/dist\/(esm|cjs)\/(\w+\/)?[\w-]+\.(js|d\.ts)$/.test(path),
    );
    expect(outside.sort()).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/dist/cjs/package.json',
      'package/package.json',
    ]);
    expect(files.length).toBeGreaterThan(150);
  });

  it('passes publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: FOLDER, strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it.runIf(isFullSize)(
    'has correct types for every kind of import',
    async () => {
      // Loads a TypeScript of its own.
      const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
      const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(TARBALL))));
      if (!result.types) throw new Error('The package has no types.');
      expect(result.problems).toEqual([]);
      expect(Object.keys(result.entrypoints)).toContain('.');
    },
    120_000,
  );

  it('is small, and imports nothing of Node', async () => {
    const { text, imports } = await bundled({ format: 'esm' });
    const zipped = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
    const { byteLength } = await zipped.arrayBuffer();
    console.info(`${manifest.name}: ${text.length} octets minified, ${byteLength} gzipped`);
    expect(byteLength).toBeLessThanOrEqual(MOST_GZIPPED);
    expect(imports).toEqual(['dynamic-import @react-email/render']);
  });

  it('works in an edge runtime without Node', async () => {
    const server = await startScriptedServer(
      answering(500, { error: { code: 'internal_error', message: 'No.' } }, { 'retry-after': '0' }),
      answering(202, { id: 'msg_1', status: 'queued' }),
    );
    const { text } = await bundled({ format: 'iife', globalName: 'sdk' });
    const vm = new EdgeVM({ initialCode: text });
    const use = `(async () => {
      const { Mailkeel, InputError, webhooks } = sdk;
      const mailkeel = new Mailkeel({ apiKey: 'svc_test_${'k'.repeat(43)}', baseUrl: '${server.url}' });
      const message = await mailkeel.messages.create({ to: 'ann@example.com', text: 'Hello',
        attachments: [{ filename: 'a.txt', content: new Blob(['Hello']) }] });
      const body = '{"event":"message.sent"}';
      const headers = new Headers(webhooks.sign(body, 'whsec_dGVzdA=='));
      const { event } = await webhooks.verify(body, headers, 'whsec_dGVzdA==');
      const fails = (path) => mailkeel.messages.create({ to: 'a@b.example', text: 'Hello', attachments: [{ path }] })
        .then(() => 'sent', (error) => error instanceof InputError && error.message);
      return { id: message.id, event, sync: webhooks.verifySync(body, headers, 'whsec_dGVzdA==').event,
        file: await fails('a.txt'), isNode: typeof process };
    })()`;
    const { id, event, sync, file, isNode } = await vm.evaluate<Promise<Record<string, string>>>(use);
    await server.close();
    expect({ id, event, sync, isNode }).toEqual({
      id: 'msg_1',
      event: 'message.sent',
      sync: 'message.sent',
      isNode: 'undefined',
    });
    expect(file).toContain('from a path in this runtime');
    expect(JSON.parse(server.asked[1]?.body ?? '')).toMatchObject({ attachments: [{ content: 'SGVsbG8=' }] });
  });
});
