// Fixes doubled and trailing slashes in the paths of vendor clients.

/** Returns a URL below /compat without doubled or trailing slashes in its path; any other URL is unchanged. */
export function vendorPath(url: string): string {
  if (!/^\/+compat\//.test(url)) return url;
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  const path = url.slice(0, end).replaceAll(/\/{2,}/g, '/');
  return (path.endsWith('/') ? path.slice(0, -1) : path) + url.slice(end);
}
