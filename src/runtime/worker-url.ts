// Where a worker thread's compiled entry is. Worker threads load JavaScript only, so under the test
// runner (which runs src/ directly) the entry is taken from the build.

/** The URL of a worker entry given relative to the calling module, e.g. `workerUrl(import.meta.url, './worker.js')`. */
export function workerUrl(importMetaUrl: string, relativePath: string): URL {
  const url = new URL(relativePath, importMetaUrl);
  if (importMetaUrl.endsWith('.ts')) url.pathname = url.pathname.replace('/src/', '/dist/');
  return url;
}
