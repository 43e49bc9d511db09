// Checks whether links on a customer's click domain work: the name must lead to the public host, which must
// show a certificate that browsers accept for it (RFC 6125). Failures are values, never exceptions.
import { connect, type ConnectionOptions } from 'node:tls';
import { cleanReplyText } from '../smtp-replies/index.js';
import { guardedLookup, resolveByDns } from './address-guard.js';
import type { DnsResolver } from '../dns/index.js';

const HTTPS_PORT = 443;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_DETAIL_CHARACTERS = 200;
/** The operator configured the host, so it may be in a private network. */
const OPERATORS_WORD = { allowPrivate: true };

interface TrackingHostOptions {
  /** Target of tracked links. With http there is nothing to check. */
  publicUrl: string;
  resolver: DnsResolver;
  /** Limit of the whole check. Default 10,000. */
  timeoutMs?: number;
  /** PEM certificates trusted instead of the public ones. */
  ca?: readonly string[];
}

/**
 * Returns a check that explains in a few words why links on `host` (A-labels) don't work; `null` if they do.
 */
export function createTrackingHostCheck(
  options: TrackingHostOptions,
): (host: string) => Promise<string | null> {
  const { publicUrl, resolver, timeoutMs = DEFAULT_TIMEOUT_MS, ca } = options;
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return () => Promise.resolve(null);
  const target: ConnectionOptions = {
    host: hostname.replace(/^\[(.+)\]$/, '$1'),
    port: port === '' ? HTTPS_PORT : Number(port),
    lookup: guardedLookup({ ...OPERATORS_WORD, resolve: resolveByDns(resolver) }),
    ...(ca ? { ca: [...ca] } : {}),
  };
  return (host) =>
    new Promise((resolve) => {
      const socket = connect({ ...target, servername: host });
      const finish = (problem: string | null): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(problem);
      };
      const timer = setTimeout(() => finish('no TLS handshake in time'), timeoutMs);
      // Node has verified chain and name by then.
      socket.once('secureConnect', () => finish(null));
      socket.on('error', (error: Error) =>
        finish(cleanReplyText(error.message).slice(0, MAX_DETAIL_CHARACTERS)),
      );
      socket.once('close', () => finish('the connection was closed'));
    });
}
