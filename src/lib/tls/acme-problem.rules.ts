// Problems that an ACME server reports (RFC 8555 section 6.7), and advice for the operator.
import { cleanReplyText } from '../smtp/reply-text.rules.js';

const TYPE_PREFIX = 'urn:ietf:params:acme:error:';
const TYPE = /^[A-Za-z0-9]{1,40}$/;

/** Found here and not by the ACME server. */
export type OwnAcmeProblem =
  /** No connection, or none in time. */
  | 'unreachable'
  /** The directory's own certificate does not verify. */
  | 'untrusted'
  /** An answer that is none of an ACME server. */
  | 'not-acme'
  | 'out-of-order'
  | 'no-http-01'
  /** The issued certificate does not fit the order. */
  | 'unusable'
  | 'too-slow'
  | 'stopped';

export interface AcmeProblem {
  /** The type's last part as the server names it, one of ours, or `unknown`. */
  type: string;
  /** One line without control characters. */
  detail: string;
}

const ADVICE: Record<OwnAcmeProblem, string> & Readonly<Record<string, string>> = {
  unreachable: 'See that this machine can reach the URL in MAILKEEL_ACME_DIRECTORY.',
  untrusted:
    'Name the authority of the ACME server itself in MAILKEEL_EXTRA_CA_FILE, or set the clock right.',
  'not-acme': 'See that MAILKEEL_ACME_DIRECTORY is the URL of an ACME directory.',
  'out-of-order': 'Nothing to do here; the authority has a fault of its own.',
  'no-http-01': 'Choose an ACME server that offers HTTP-01, or bring a certificate with MAILKEEL_TLS_CERT.',
  unusable: 'Nothing to do here; it is tried again.',
  'too-slow': 'Nothing to do here, unless it comes again and again: then ask the authority.',
  stopped: 'Nothing to do; it is tried again at the next start.',
  connection:
    'See that DNS leads these names to this machine, and that port 80 reaches it from the Internet (MAILKEEL_ACME_PORT).',
  dns: 'Publish A or AAAA records for these names that lead to this machine.',
  unauthorized:
    'See that these names, with every A and AAAA record, lead to this machine and not to another web server.',
  incorrectResponse: 'See that these names lead to this machine and that no proxy answers for it.',
  tls: 'See that nothing redirects the challenge from port 80 to a broken HTTPS server.',
  caa: 'Change the CAA records of these names so that this authority may issue for them.',
  rateLimited: 'Wait; the authority has limits. Meanwhile the certificate at hand stays in use.',
  rejectedIdentifier: 'Take the name that the authority refuses out of MAILKEEL_ACME_DOMAINS.',
  unsupportedIdentifier: 'Take the name that the authority refuses out of MAILKEEL_ACME_DOMAINS.',
  invalidContact: 'Correct MAILKEEL_ACME_EMAIL.',
  unsupportedContact: 'Correct MAILKEEL_ACME_EMAIL.',
  externalAccountRequired:
    'This authority wants an account made beforehand, which is not supported; choose another.',
  userActionRequired: "Read the authority's new terms of service at the address that it names.",
  serverInternal: 'Nothing to do here; the authority has a fault of its own.',
};

/** One sentence. */
export function acmeAdvice({ type }: AcmeProblem): string {
  return Object.hasOwn(ADVICE, type) ? (ADVICE[type] ?? '') : 'See what the ACME server says.';
}

/** From a problem document or the `error` of an order, authorization or challenge; null when it is neither. */
export function readAcmeProblem(document: unknown): AcmeProblem | null {
  if (typeof document !== 'object' || document === null) return null;
  const { type, detail, status, error } = document as Partial<Record<string, unknown>>;
  // The objects themselves carry a `type` too, such as `http-01`.
  if (status === 'invalid' && typeof error === 'object' && error !== null) return readAcmeProblem(error);
  if (typeof type !== 'string' || !type.startsWith(TYPE_PREFIX)) return null;
  const name = type.slice(TYPE_PREFIX.length);
  const words = typeof detail === 'string' ? cleanReplyText(detail) : '';
  return { type: TYPE.test(name) ? name : 'unknown', detail: words };
}
