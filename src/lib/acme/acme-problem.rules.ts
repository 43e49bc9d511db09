// Reads problems that an ACME server reports (RFC 8555 section 6.7), and advises the operator.
import { cleanReplyText } from '../smtp-replies/index.js';

const TYPE_PREFIX = 'urn:ietf:params:acme:error:';
const TYPE = /^[A-Za-z0-9]{1,40}$/;

/** Problems that Mailkeel finds itself. */
export type OwnAcmeProblem =
  /** No connection, or too late. */
  | 'unreachable'
  /** The directory's own certificate does not verify. */
  | 'untrusted'
  /** The response is not from an ACME server. */
  | 'not-acme'
  | 'out-of-order'
  | 'no-http-01'
  /** The issued certificate does not fit the order. */
  | 'unusable'
  | 'too-slow'
  | 'stopped';

export interface AcmeProblem {
  /** The last part of the server's type, one of `OwnAcmeProblem`, or `unknown`. */
  type: string;
  /** One line without control characters. */
  detail: string;
}

const ADVICE: Record<OwnAcmeProblem, string> & Readonly<Record<string, string>> = {
  unreachable: 'Check that this server can reach the URL in MAILKEEL_ACME_DIRECTORY.',
  untrusted: 'Add the CA of the ACME server to MAILKEEL_EXTRA_CA_FILE, or correct the system clock.',
  'not-acme': 'Check that MAILKEEL_ACME_DIRECTORY is the URL of an ACME directory.',
  'out-of-order': 'No action needed. The CA has an internal error.',
  'no-http-01': 'Choose an ACME server that offers HTTP-01, or provide a certificate with MAILKEEL_TLS_CERT.',
  unusable: 'No action needed. Mailkeel retries automatically.',
  'too-slow': 'No action needed. If this happens repeatedly, contact the CA.',
  stopped: 'No action needed. Mailkeel retries at the next start.',
  connection:
    'Check that these names resolve to this server and that port 80 is reachable from the internet (MAILKEEL_ACME_PORT).',
  dns: 'Publish A or AAAA records that point these names to this server.',
  unauthorized:
    'Check that every A and AAAA record of these names points to this server and not to another web server.',
  incorrectResponse: 'Check that these names point to this server and that no proxy responds in its place.',
  tls: 'Check that the challenge on port 80 is not redirected to a broken HTTPS server.',
  caa: 'Change the CAA records of these names to allow this CA to issue certificates.',
  rateLimited: "Wait until the CA's rate limit resets. The current certificate stays in use.",
  rejectedIdentifier: 'Remove the name that the CA rejects from MAILKEEL_ACME_DOMAINS.',
  unsupportedIdentifier: 'Remove the name that the CA rejects from MAILKEEL_ACME_DOMAINS.',
  invalidContact: 'Correct MAILKEEL_ACME_EMAIL.',
  unsupportedContact: 'Correct MAILKEEL_ACME_EMAIL.',
  externalAccountRequired:
    'This CA requires an existing account (external account binding), which is not supported. Choose another CA.',
  userActionRequired: "Read the CA's new terms of service at the URL in its response.",
  serverInternal: 'No action needed. The CA has an internal error.',
};

/** Returns advice in one sentence. */
export function acmeAdvice({ type }: AcmeProblem): string {
  return Object.hasOwn(ADVICE, type) ? (ADVICE[type] ?? '') : 'See the error of the ACME server.';
}

/**
 * Reads a problem document, or the `error` of an order, authorization or challenge; `null` for anything else.
 */
export function readAcmeProblem(document: unknown): AcmeProblem | null {
  if (typeof document !== 'object' || document === null) return null;
  const { type, detail, status, error } = document as Partial<Record<string, unknown>>;
  // The objects themselves also have a `type`, such as `http-01`.
  if (status === 'invalid' && typeof error === 'object' && error !== null) return readAcmeProblem(error);
  if (typeof type !== 'string' || !type.startsWith(TYPE_PREFIX)) return null;
  const name = type.slice(TYPE_PREFIX.length);
  const words = typeof detail === 'string' ? cleanReplyText(detail) : '';
  return { type: TYPE.test(name) ? name : 'unknown', detail: words };
}
