// Bundles a program of this folder and runs it: `npm run build:tests -- --dashboard && node test/support/dashboard/look.js`, and with
// `screens` behind it the one that takes pictures.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const name = process.argv[2] === 'screens' ? 'screens' : 'look';
// Two folders below the root, as test/support is: modules find dist/ from where they are.
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
