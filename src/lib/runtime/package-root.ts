// Where the package is: config/, dist/ and package.json stand there, whether the sources run or what was built of them.
import { existsSync } from 'node:fs';

export const PACKAGE_ROOT = rootAbove(new URL('.', import.meta.url));

/** The folder of the nearest package.json, with a slash at its end. Throws when there is none. */
function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('There is no package.json above the program.');
  return rootAbove(parent);
}

// Where a worker thread's built entry is. Worker threads load JavaScript only, so tests, which run src/, take it from dist/ too.
/** The URL of an entry of esbuild.config.js, such as `app/delivery-worker.js`. */
export function workerUrl(entry: string): URL {
  return new URL(`dist/${entry}`, PACKAGE_ROOT);
}
