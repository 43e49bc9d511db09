// Locates the package with config/, dist/ and package.json, whether sources or built files run.
import { existsSync } from 'node:fs';

export const PACKAGE_ROOT = rootAbove(new URL('.', import.meta.url));

/** Returns the folder of the nearest package.json, with a slash at its end. Throws if there is none. */
function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('There is no package.json above the program.');
  return rootAbove(parent);
}

/**
 * Returns the URL of an entry of esbuild.config.js, such as `app/delivery-worker.js`. Worker threads only
 * load JavaScript, so tests, which run src/, take it from dist/ too.
 */
export function workerUrl(entry: string): URL {
  return new URL(`dist/${entry}`, PACKAGE_ROOT);
}
