// Bundles a program of this folder and runs it: `npm run build:tests -- --dashboard && node test/support/dashboard/look.js`. With
// the argument `screens`, runs the program that takes screenshots.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const name = process.argv[2] === 'screens' ? 'screens' : 'look';
// Two folders below the root, like test/support, because modules find dist/ relative to their path.
const outfile = `${root}node_modules/.cache/${name}.mjs`;
await build({
  entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node24',
  logLevel: 'warning',
});
await import(outfile);
