// Bundles look.ts and runs it: `npm run build:tests && node test/support/dashboard/look.js`.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Two folders below the root, as test/support is: modules find dist/ from where they are.
const outfile = `${root}node_modules/.cache/look.mjs`;
await build({
  entryPoints: [fileURLToPath(new URL('look.ts', import.meta.url))],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
});
await import(outfile);
