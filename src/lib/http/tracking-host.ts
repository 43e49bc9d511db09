// Tries whether links under a customer's click domain can be followed: the name leads to our public host, which must show
// a certificate that browsers accept for it (RFC 6125). What is found out is a value, never an exception.
import { connect, type ConnectionOptions } from 'node:tls';
import { cleanReplyText } from '../smtp-replies/index.js';
import { guardedLookup, resolveByDns } from './address-guard.js';
import type { DnsResolver } from '../dns/index.js';

const HTTPS_PORT = 443;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_DETAIL_CHARACTERS = 200;
/** The host comes from the configuration, and may be in one's own network. */
const OPERATORS_WORD = { allowPrivate: true };

export interface TrackingHostOptions {
  /** Where tracked links lead. Over http there is nothing to try. */
  publicUrl: string;
  resolver: DnsResolver;
  /** For the whole of it; 10,000 when absent. */
  timeoutMs?: number;
  /** PEM certificates trusted instead of the public ones. */
  ca?: readonly string[];
}

/** Why links under `host` (A-labels) cannot be followed, in a few words; null when they can. */
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
      // By then Node has checked the chain and the name.
      socket.once('secureConnect', () => finish(null));
      socket.on('error', (error: Error) =>
        finish(cleanReplyText(error.message).slice(0, MAX_DETAIL_CHARACTERS)),
      );
      socket.once('close', () => finish('the connection was closed'));
    });
}
