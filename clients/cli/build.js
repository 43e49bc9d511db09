// Builds the package: bin/mailkeel.js and dist/mailkeel.js, one file with everything that it needs, and the licences of what is in it. Types are checked by `npm run types`, not here.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeLicenses } from '../../docker/contents.js';
import { packFolder } from '../pack-client.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Returns the files that it was built from. */
export async function buildCli() {
  rmSync(join(FOLDER, 'dist'), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: FOLDER,
    entryPoints: ['src/main.ts'],
    outfile: 'dist/mailkeel.js',
    bundle: true,
    minify: true,
    keepNames: true,
    // The SDK's sources: its package need not be built first.
    alias: { '@mailkeel/sdk': join(FOLDER, '../sdk/src/index.ts') },
    tsconfigRaw: {},
    // Renders elements of React, which a command line is never given.
    external: ['@react-email/render'],
    platform: 'node',
    format: 'esm',
    target: 'node22.12',
    // Packages that are CommonJS ask for Node's own modules with require.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs).map((file) => join(FOLDER, file));
  // Their licences ask for their texts beside every copy.
  writeLicenses(join(FOLDER, 'dist/LICENSES.txt'), inputs);
  return [...['build.js', 'package.json'].map((file) => join(FOLDER, file)), ...inputs];
}

/** Builds the package and packs it into `tarball`. Returns the files that it was built from. */
export async function packCli(tarball) {
  const inputs = await buildCli();
  await packFolder(FOLDER, tarball);
  return [...inputs, ...['bin/mailkeel.js', 'README.md', 'LICENSE'].map((file) => join(FOLDER, file))];
}

if (process.argv[1] === import.meta.filename) await buildCli();
