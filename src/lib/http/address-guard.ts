// Keeps connections to hosts that others name (webhooks, policy fetches) away from private networks. The check
// sits in the socket's own look-up, so the address that was checked is the address that is connected to.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { forbiddenAddressReason } from '../addresses/index.js';
import type { DnsResolver } from '../dns/index.js';

export { forbiddenAddressReason };

/** Rejects with an Error that has a `code` when the name cannot be resolved. */
export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

/** The address was found and must not be connected to. Reaches the socket's error event. Callers see the message, so it names no address that they did not write. */
export class ForbiddenAddressError extends Error {
  readonly code = 'EFORBIDDENADDRESS';
  readonly address: string;

  constructor(hostname: string, address: string, reason: string) {
    super(hostname === address ? `${address} is ${reason}` : `${hostname} resolves to ${reason}`);
    this.name = 'ForbiddenAddressError';
    this.address = address;
  }
}

/** Describes a failed connection without the addresses in Node's messages: callers see the text, and addresses may be internal. */
export function connectionProblem(error: Error): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return error.message;
  if (syscall !== undefined) return `${syscall} ${code}`;
  return error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

/** The system's way: hosts file, search domains, DNS. Occupies a libuv thread while it asks. */
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
 * Our resolver first, so that slow names do not occupy the thread pool; what it does not know (hosts file, search
 * domains, `localhost`) goes to the system. A timeout is final.
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

/** Throws ForbiddenAddressError for an IP literal (with or without brackets); names pass, unjudged. */
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
 * A `lookup` for net.connect and tls.connect: forbidden addresses are left out, and when none is left the
 * connection fails with ForbiddenAddressError. Node does not call `lookup` for IP literals: `checkLiteral` first.
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
