// Where a worker thread's built entry is. Worker threads load JavaScript only, so tests, which run src/, take it from dist/ too.
import { PACKAGE_ROOT } from './package-root.js';

/** The URL of an entry of esbuild.config.js, such as `outbound/deliver/worker.js`. */
export function workerUrl(entry: string): URL {
  return new URL(`dist/${entry}`, PACKAGE_ROOT);
}
