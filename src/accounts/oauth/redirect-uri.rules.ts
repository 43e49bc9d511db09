// Redirect URIs of OAuth clients: https, a port of the person's own computer, or the scheme of an installed application (RFC 8252).

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
const MAX_CHARACTERS = 2_000;
/** Schemes that a browser opens itself, and that could run scripts or read files. */
const BROWSER_SCHEMES = [
  ...['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:'],
  ...['ftp:', 'ws:', 'wss:', 'mailto:', 'tel:', 'sms:', 'intent:', 'content:', 'chrome:'],
];

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A scheme of an application: a domain name in reverse, and a path without an authority (RFC 8252 section 7.1). */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9][a-z0-9+-]*)+:\/(?!\/)/i;

/** Returns the reason why a client cannot register the URI; null if it can. */
export function redirectUriProblem(text: string): string | null {
  if (text.length > MAX_CHARACTERS) return `exceeds ${MAX_CHARACTERS} characters`;
  if (!URL.canParse(text) || !(ABSOLUTE.test(text) || PRIVATE_USE.test(text)))
    return 'is not an absolute URI';
  const url = new URL(text);
  if (text.includes('#')) return 'has a fragment';
  if (url.username !== '' || url.password !== '') return 'has a username or password';
  if (BROWSER_SCHEMES.includes(url.protocol)) return `uses the scheme ${url.protocol.slice(0, -1)}`;
  if (url.protocol === 'http:' && !isLoopback(text))
    return 'uses http, which is allowed for this computer only';
  return null;
}

export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && LOOPBACK.includes(hostname);
}

/** Whether the URI opens an application on the person's device. */
export function isAppScheme(uri: string): boolean {
  return !['https:', 'http:'].includes(new URL(uri).protocol);
}

/** Compares exactly, but for the port of a loopback address, which the client chooses at each start (RFC 8252 section 7.3). */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true;
  if (redirectUriProblem(given) !== null || !isLoopback(given)) return false;
  return registered.some((one) => isLoopback(one) && withoutPort(one) === withoutPort(given));
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}

/** The application that a redirect reaches, as a person recognizes it. */
export function redirectTarget(uri: string): string {
  const { protocol, host } = new URL(uri);
  if (!isAppScheme(uri)) return host;
  return host === '' ? protocol : `${protocol}//${host}`;
}

/** Adds the parameters of a response to the query. */
export function redirectWith(uri: string, parameters: Record<string, string | null>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) url.searchParams.append(name, value);
  }
  return url.href;
}
