// Paths of vendor requests, whose clients join their parts with a slash too many.

/** The URL without doubled slashes and a slash at the end of its path, if it is below /compat; any other URL as it is. */
export function vendorPath(url: string): string {
  if (!/^\/+compat\//.test(url)) return url;
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  const path = url.slice(0, end).replaceAll(/\/{2,}/g, '/');
  return (path.endsWith('/') ? path.slice(0, -1) : path) + url.slice(end);
}
