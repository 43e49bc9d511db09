// TLS for SMTP (RFC 3207): how we ask for it, and what we learnt about it.
import { isIP } from 'node:net';
import {
  type ConnectionOptions,
  type DetailedPeerCertificate,
  type SecureContext,
  type TLSSocket,
  createSecureContext,
} from 'node:tls';
import { OLD_VERSIONS } from '../tls/index.js';
import {
  certificateProblem,
  type SeenTls,
  type TlsProblem,
  type TlsVerdict as TlsDecision,
} from '../tls-policy/index.js';
import { bareAddress } from './open-socket.js';

export interface SmtpTlsOptions {
  /** `opportunistic`: when offered. `required`: or not at all. `none`: never. `implicit`: before the greeting (port 465). */
  mode: 'opportunistic' | 'required' | 'none' | 'implicit';
  /** Whether a certificate that does not verify for `host` ends the connection. The result is recorded either way. */
  verify: boolean;
  /** An older protocol ends the connection. A `secureContext` may have a minimum of its own. */
  minVersion?: 'TLSv1.2';
  /** Sent as SNI, and the name to verify, in place of `host`. */
  servername?: string;
  /** Called after the handshake, before anything is sent over it; a rejection ends the connection in phase `tls`. */
  check?: (seen: TlsSeen) => TlsDecision;
  /** Trust anchors in place of the system's; ignored when `secureContext` is given, which has its own. */
  ca?: string | Buffer;
  /** Share one: making a context costs over a millisecond of CPU. */
  secureContext?: SecureContext;
}

export interface TlsFacts {
  protocol: string;
  cipher: string;
  /** The certificate verifies for `servername` by our trust anchors. */
  authorized: boolean;
  /** Why it did not, e.g. `DEPTH_ZERO_SELF_SIGNED_CERT`; null when it did. */
  authorizationError: string | null;
  /** The same as TLS reports name it (RFC 8460 section 4.3); null when it verified. */
  problem: TlsProblem | null;
  /** Proof that this is the right server: its certificate's chain, or its TLSA records; null without a proof. */
  verifiedBy: 'webpki' | 'dane' | null;
  /** The name sent as SNI; null when the peer was named by address only. */
  servername: string | null;
  certificate: CertificateFacts | null;
}

/** Of the server's own certificate; its words, without control characters and cut to 200 characters. */
export interface CertificateFacts {
  subject: string;
  issuer: string;
  /** ISO 8601. */
  validTo: string;
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  fingerprint256: string;
}

/** The facts that `check` decides by. */
export interface TlsSeen extends SeenTls {
  facts: TlsFacts;
}

const MAX_CHAIN = 10;
const MAX_NAME_CHARACTERS = 200;
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Never lets Node reject by itself, so that the facts are known for the record; the caller decides by `authorized`. */
export function clientTlsOptions(host: string, tls: SmtpTlsOptions): ConnectionOptions {
  const options: ConnectionOptions = { host: bareAddress(host), rejectUnauthorized: false };
  const servername = servernameOf(host, tls);
  if (servername !== null) options.servername = servername;
  if (tls.minVersion !== undefined) options.minVersion = tls.minVersion;
  if (tls.ca !== undefined) options.ca = tls.ca;
  if (tls.secureContext !== undefined) options.secureContext = tls.secureContext;
  return options;
}

function servernameOf(host: string, { servername = host }: SmtpTlsOptions): string | null {
  return isIP(bareAddress(servername)) === 0 ? servername : null;
}

export function readTlsFacts(socket: TLSSocket, host: string, tls: SmtpTlsOptions): TlsFacts {
  const { authorized } = socket;
  const authorizationError = authorized ? null : reasonOf(socket.authorizationError);
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    authorized,
    authorizationError,
    problem: authorizationError === null ? null : certificateProblem(authorizationError),
    verifiedBy: authorized ? 'webpki' : null,
    servername: servernameOf(host, tls),
    certificate: certificateFacts(socket),
  };
}

function certificateFacts(socket: TLSSocket): CertificateFacts | null {
  // Empty when there is none, whatever the types say.
  const { subject, issuer, valid_to, fingerprint256 } = socket.getPeerCertificate() as Partial<
    ReturnType<TLSSocket['getPeerCertificate']>
  >;
  if (subject === undefined || issuer === undefined) return null;
  const validTo = Date.parse(valid_to ?? '');
  return {
    subject: nameText(subject),
    issuer: nameText(issuer),
    validTo: Number.isNaN(validTo) ? 'unknown' : new Date(validTo).toISOString(),
    fingerprint256: (fingerprint256 ?? '').replaceAll(':', '').toLowerCase(),
  };
}

// A field that stands several times comes as a list, and the whole may be of any length.
function nameText(name: object): string {
  return Object.entries(name as Record<string, unknown>)
    .map(([field, value]) => `${field}=${Array.isArray(value) ? value.join('+') : String(value)}`)
    .join(', ')
    .replace(UNPRINTABLE, '')
    .slice(0, MAX_NAME_CHARACTERS);
}

/** The server's certificates as DER, its own first and each followed by its issuer. */
export function readChain(socket: TLSSocket): Buffer[] {
  const chain: Buffer[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (next && Buffer.isBuffer(next.raw) && chain.length < MAX_CHAIN) {
    chain.push(next.raw);
    const issuer: DetailedPeerCertificate | undefined = next.issuerCertificate;
    // A root names itself as its issuer.
    next = issuer === next ? undefined : issuer;
  }
  return chain;
}

// Declared as an Error, but Node puts the bare code here for most causes.
function reasonOf(cause: unknown): string {
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return typeof cause === 'string' ? cause : 'unverified';
}

/**
 * For peers that have TLS 1.0 or 1.1 only: encryption that is out of date, in place of none. Of no use where anything is to be
 * proven.
 */
export function oldVersionsContext(): SecureContext {
  return createSecureContext(OLD_VERSIONS);
}
