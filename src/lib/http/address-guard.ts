// Keeps connections to hosts named by others (webhooks, policy fetches) away from private networks. The
// socket's own look-up performs the check, so the checked address is the one connected to.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { forbiddenAddressReason } from '../addresses/index.js';
import type { DnsResolver } from '../dns/index.js';

/** Resolves a name. Rejects with an Error with a `code` if it cannot. */
export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

/**
 * The address was resolved but connecting to it is forbidden. Reaches the socket's error event. Customers see
 * the message, so it names no address that they did not write.
 */
export class ForbiddenAddressError extends Error {
  readonly code = 'EFORBIDDENADDRESS';
  readonly address: string;

  constructor(hostname: string, address: string, reason: string) {
    super(hostname === address ? `${address} is ${reason}` : `${hostname} resolves to ${reason}`);
    this.name = 'ForbiddenAddressError';
    this.address = address;
  }
}

/**
 * Describes a failed connection without the addresses in Node's messages, because customers see the text and
 * addresses may be internal.
 */
export function connectionProblem(error: Error): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return error.message;
  if (syscall !== undefined) return `${syscall} ${code}`;
  return error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

/**
 * Resolves with the system's resolver: hosts file, search domains, DNS. Occupies a libuv thread meanwhile.
 */
export const resolveBySystem: ResolveName = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });

function notResolved(hostname: string, code: string): Error {
  return Object.assign(new Error(`${hostname} could not be resolved`), { code, hostname });
}

/**
 * Resolves with the given resolver first, so that slow names don't occupy the thread pool, and asks the
 * system for unknown names (hosts file, search domains, `localhost`). A timeout is final.
 */
export function resolveByDns(resolver: DnsResolver): ResolveName {
  return async (hostname) => {
    const answer = await resolver.addresses(hostname, [4, 6]);
    if (answer.kind === 'found') {
      return answer.records.map((address) => ({ address, family: isIP(address) }));
    }
    if (answer.kind === 'failed' && answer.reason === 'timeout') throw notResolved(hostname, 'ETIMEOUT');
    return resolveBySystem(hostname);
  };
}

/** Throws ForbiddenAddressError for a forbidden IP literal (with or without brackets); ignores names. */
export function checkLiteral(hostname: string, options: { allowPrivate: boolean }): void {
  const address = hostname.replace(/^\[(.+)\]$/, '$1');
  if (isIP(address) === 0) return;
  const reason = forbiddenAddressReason(address, options);
  if (reason !== null) throw new ForbiddenAddressError(address, address, reason);
}

async function resolveAllowed(
  hostname: string,
  options: { allowPrivate: boolean; resolve: ResolveName },
): Promise<LookupAddress[]> {
  const found = await options.resolve(hostname);
  const checked = found.map((entry) => ({ entry, reason: forbiddenAddressReason(entry.address, options) }));
  const allowed = checked.filter(({ reason }) => reason === null).map(({ entry }) => entry);
  const first = checked[0];
  if (!first) throw notResolved(hostname, 'ENOTFOUND');
  if (allowed.length === 0) {
    throw new ForbiddenAddressError(hostname, first.entry.address, first.reason ?? 'forbidden');
  }
  return allowed;
}

/**
 * Returns a `lookup` for net.connect and tls.connect that leaves out forbidden addresses. If none is left,
 * the connection fails with ForbiddenAddressError. Node does not call `lookup` for IP literals, so call
 * `checkLiteral` first.
 */
export function guardedLookup(options: { allowPrivate: boolean; resolve?: ResolveName }): LookupFunction {
  const { allowPrivate, resolve = resolveBySystem } = options;
  return (hostname, lookupOptions, callback) => {
    resolveAllowed(hostname, { allowPrivate, resolve }).then(
      (addresses) => {
        const wanted = addresses.filter(({ family }) => isWanted(family, lookupOptions.family));
        const first = wanted[0];
        if (!first) callback(notResolved(hostname, 'ENOTFOUND'), '', 0);
        else if (lookupOptions.all === true) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : notResolved(hostname, 'EUNKNOWN'), '', 0);
      },
    );
  };
}

function isWanted(family: number, asked: number | string | undefined): boolean {
  if (asked === 4 || asked === 'IPv4') return family === 4;
  return asked === 6 || asked === 'IPv6' ? family === 6 : true;
}
