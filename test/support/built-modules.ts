// With TEST_BUILT_MODULES, the tests load the program's modules as `npm run build:tests` wrote them, one file each, instead of
// having Vite translate each, which saves a fifth of the suite's time. The scripts of package.json set it after the build.
// Without it, as in `npx vitest run FILE`, the modules are the sources, and so are the lines of stack traces.
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = `${ROOT}src${sep}`;

export function builtModules(): Plugin[] {
  if (process.env['TEST_BUILT_MODULES'] === undefined) return [];
  return [
    {
      name: 'built-modules',
      enforce: 'pre',
      resolveId(specifier, importer) {
        if (importer === undefined || !specifier.startsWith('.') || !specifier.endsWith('.js')) return null;
        const path = resolve(dirname(importer), specifier);
        return path.startsWith(SOURCES) ? `${ROOT}dist/modules/${path.slice(SOURCES.length)}` : null;
      },
    },
  ];
}
