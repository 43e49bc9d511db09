// Requests TLS for SMTP (RFC 3207) and reads the facts of the secured connection.
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
  /**
   * `opportunistic`: if offered. `required`: fail without it. `none`: never. `implicit`: before the greeting
   * (port 465).
   */
  mode: 'opportunistic' | 'required' | 'none' | 'implicit';
  /** Ends the connection if the certificate does not verify for `host`. The result is recorded either way. */
  verify: boolean;
  /** Ends the connection if the protocol is older. A `secureContext` may have its own minimum. */
  minVersion?: 'TLSv1.2';
  /** The name to send as SNI and to verify, instead of `host`. */
  servername?: string;
  /**
   * Called after the handshake, before anything is sent over it. A rejection ends the connection in phase
   * `tls`.
   */
  check?: (seen: TlsSeen) => TlsDecision;
  /** Trust anchors instead of the system's; ignored if `secureContext` is given, which has its own. */
  ca?: string | Buffer;
  /** Share one context, because creating it costs over a millisecond of CPU. */
  secureContext?: SecureContext;
}

export interface TlsFacts {
  protocol: string;
  cipher: string;
  /** The certificate verifies for `servername` by the trust anchors. */
  authorized: boolean;
  /** The reason if not authorized, such as `DEPTH_ZERO_SELF_SIGNED_CERT`; otherwise `null`. */
  authorizationError: string | null;
  /** The same reason as a result type of TLS reports (RFC 8460 section 4.3); `null` if authorized. */
  problem: TlsProblem | null;
  /**
   * How the server's identity was proven: by its certificate chain or by TLSA records; `null` without proof.
   */
  verifiedBy: 'webpki' | 'dane' | null;
  /** The name sent as SNI; `null` if the peer was only named by address. */
  servername: string | null;
  certificate: CertificateFacts | null;
}

/** Facts of the server's own certificate. Names have no control characters and at most 200 characters. */
interface CertificateFacts {
  subject: string;
  issuer: string;
  /** ISO 8601. */
  validTo: string;
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  fingerprint256: string;
}

/** The facts on which `check` decides. */
export interface TlsSeen extends SeenTls {
  facts: TlsFacts;
}

const MAX_CHAIN = 10;
const MAX_NAME_CHARACTERS = 200;
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Builds the options for `tls.connect`. Node never rejects a certificate itself, so that the facts can be
 * recorded; the caller decides by `authorized`.
 */
export function clientTlsOptions(host: string, tls: SmtpTlsOptions): ConnectionOptions {
  const options: ConnectionOptions = { host: bareAddress(host), rejectUnauthorized: false };
  const servername = sentServername(host, tls);
  if (servername !== null) options.servername = servername;
  if (tls.minVersion !== undefined) options.minVersion = tls.minVersion;
  if (tls.ca !== undefined) options.ca = tls.ca;
  if (tls.secureContext !== undefined) options.secureContext = tls.secureContext;
  return options;
}

function sentServername(host: string, { servername = host }: SmtpTlsOptions): string | null {
  return isIP(bareAddress(servername)) === 0 ? servername : null;
}

export function readTlsFacts(socket: TLSSocket, host: string, tls: SmtpTlsOptions): TlsFacts {
  const { authorized } = socket;
  const authorizationError = authorized ? null : describeCause(socket.authorizationError);
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    authorized,
    authorizationError,
    problem: authorizationError === null ? null : certificateProblem(authorizationError),
    verifiedBy: authorized ? 'webpki' : null,
    servername: sentServername(host, tls),
    certificate: certificateFacts(socket),
  };
}

function certificateFacts(socket: TLSSocket): CertificateFacts | null {
  // Empty without a certificate, although the types deny it.
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

// Formats a distinguished name. A repeated field comes as a list, and the whole may have any length.
function nameText(name: object): string {
  return Object.entries(name as Record<string, unknown>)
    .map(([field, value]) => `${field}=${Array.isArray(value) ? value.join('+') : String(value)}`)
    .join(', ')
    .replace(UNPRINTABLE, '')
    .slice(0, MAX_NAME_CHARACTERS);
}

/** Returns the server's certificates as DER, its own first, each followed by its issuer. */
export function readChain(socket: TLSSocket): Buffer[] {
  const chain: Buffer[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (next && Buffer.isBuffer(next.raw) && chain.length < MAX_CHAIN) {
    chain.push(next.raw);
    const issuer: DetailedPeerCertificate | undefined = next.issuerCertificate;
    // A root names itself as issuer.
    next = issuer === next ? undefined : issuer;
  }
  return chain;
}

// Node declares an Error here but mostly stores the bare code.
function describeCause(cause: unknown): string {
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return typeof cause === 'string' ? cause : 'unverified';
}

/**
 * Creates a context for peers that only support TLS 1.0 or 1.1. Outdated encryption is better than none, but
 * proves nothing.
 */
export function oldVersionsContext(): SecureContext {
  return createSecureContext(OLD_VERSIONS);
}
