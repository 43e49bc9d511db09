// TLS for SMTP (RFC 3207): how we ask for it, and what we learnt about it.

import { isIP } from 'node:net';
import type { ConnectionOptions, SecureContext, TLSSocket } from 'node:tls';

export interface SmtpTlsOptions {
  /** `opportunistic`: when offered. `required`: or not at all. `none`: never. `implicit`: before the greeting (port 465). */
  mode: 'opportunistic' | 'required' | 'none' | 'implicit';
  /** Whether a certificate that does not verify for `host` ends the connection. The result is recorded either way. */
  verify: boolean;
  /** Trust anchors in place of the system's; ignored when `secureContext` is given, which has its own. */
  ca?: string | Buffer;
  /** Share one: making a context costs over a millisecond of CPU. */
  secureContext?: SecureContext;
}

export interface TlsFacts {
  protocol: string;
  cipher: string;
  authorized: boolean;
  /** Why the certificate did not verify, e.g. `DEPTH_ZERO_SELF_SIGNED_CERT`; null when it did. */
  authorizationError: string | null;
  /** The name sent as SNI; null when the peer was named by address only. */
  servername: string | null;
}

/** Never lets Node reject by itself, so that the facts are known for the record; the caller judges `authorized`. */
export function clientTlsOptions(host: string, tls: SmtpTlsOptions): ConnectionOptions {
  const options: ConnectionOptions = { host, rejectUnauthorized: false };
  if (isIP(host) === 0) options.servername = host;
  if (tls.ca !== undefined) options.ca = tls.ca;
  if (tls.secureContext !== undefined) options.secureContext = tls.secureContext;
  return options;
}

export function readTlsFacts(socket: TLSSocket, host: string): TlsFacts {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    authorized: socket.authorized,
    authorizationError: socket.authorized ? null : reasonOf(socket.authorizationError),
    servername: isIP(host) === 0 ? host : null,
  };
}

// Declared as an Error, but Node puts the bare code here for most causes.
function reasonOf(cause: unknown): string {
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return typeof cause === 'string' ? cause : 'unverified';
}
