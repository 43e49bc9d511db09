// Chooses the names of the server's certificates.
import ipaddr from 'ipaddr.js';
import { canonicalAddress, isPublicName, toAscii } from '../../lib/addresses/index.js';

/** Most names of one certificate, which is the limit of authorities. */
const MAX_NAMES = 100;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export interface ServerNames {
  hostname: string;
  inboundDomain: string;
  bounceDomain: string;
  publicUrl: string;
}

/** Returns the names of the self-signed certificate: every name of the server, and this machine. */
export function selfSignedNames(own: ServerNames): string[] {
  const { hostname, inboundDomain, bounceDomain } = own;
  const names = [hostname, inboundDomain, bounceDomain, publicHost(own.publicUrl), 'localhost'];
  return [...new Set([...names.map(canonicalName), '127.0.0.1', '::1'])];
}

type AcmeNames = { ok: true; names: string[] } | { ok: false; problems: string[] };

/**
 * Returns the names for an authority's certificate. Every part of `written` must be valid. Without it, the host name and the
 * public URL's name are used if an authority can validate them.
 */
export function acmeNames(
  written: readonly string[] | null,
  own: Pick<ServerNames, 'hostname' | 'publicUrl'>,
): AcmeNames {
  const isWritten = written !== null;
  const wanted = isWritten ? written : [own.hostname, publicHost(own.publicUrl)];
  const names = [...new Set(wanted.map(canonicalName).filter((name) => name !== ''))];
  const problems = names.flatMap((name) => {
    const problem = acmeNameProblem(name);
    return problem === null ? [] : [`${name} ${problem}`];
  });
  if (isWritten && problems.length > 0) return { ok: false, problems };
  const usable = names.filter((name) => acmeNameProblem(name) === null);
  if (usable.length === 0) return { ok: false, problems: ['no public host name found', ...problems] };
  if (usable.length > MAX_NAMES) return { ok: false, problems: [`more than ${MAX_NAMES} names`] };
  return { ok: true, names: usable };
}

function acmeNameProblem(name: string): string | null {
  if (name.startsWith('*.')) return 'is a wildcard, which cannot be validated over HTTP';
  if (ipaddr.isValid(name)) return 'is an IP address, not a host name';
  if (name.length > 253 || !name.split('.').every((label) => LABEL.test(label))) return 'is not a host name';
  if (!name.includes('.')) return 'is not a fully qualified host name';
  return isPublicName(name) ? null : 'is a name for local networks only';
}

function publicHost(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Returns the name in lower-case A-labels without a final dot, or the text itself if it is not a name. */
function canonicalName(written: string): string {
  const name = written.trim().replace(/\.$/, '').toLowerCase();
  if (ipaddr.isValid(name)) return canonicalAddress(name);
  return toAscii(name) ?? name;
}
