// Checks of inbound mail: the records that route it to Mailkeel, the public port, and the certificate.
import { canonicalHost } from '../../lib/dns-answers/index.js';
import { unknownResult, type CheckResult } from './preflight.rules.js';
import type { ReachFact } from '../../lib/smtp-replies/index.js';

const DAY_MS = 86_400_000;
const END_WARN_MS = 14 * DAY_MS;
/** Certificates with a lifetime of days are renewed shortly before they expire. */
const END_WARN_SHARE = 0.25;

/**
 * Checks whether a peer that looks up `hostname` reaches Mailkeel on its port, with Mailkeel's name in the greeting. It never
 * fails, because outbound mail works regardless.
 */
export function judgeInboundPort(
  hostname: string,
  port: number,
  /** One attempt per address of the name. */
  tries: readonly ReachFact[],
): CheckResult {
  const subject = `${hostname}:${port}`;
  const question = { name: 'inbound_port', subject, expected: `SMTP greeting from ${hostname}` } as const;
  if (tries.length === 0) {
    return unknownResult(
      'inbound_port',
      subject,
      `${hostname} has no IP address`,
      `Publish an A or AAAA record for ${hostname}.`,
    );
  }
  const worst = [isOther, isRefused, isLost].flatMap(
    (isSo) => tries.find((one) => isSo(one, hostname)) ?? [],
  )[0];
  if (worst === undefined) {
    const observed = tries.map(({ address }) => address).join(', ');
    return { ...question, status: 'pass', observed, remedy: null };
  }
  const { address, outcome } = worst;
  if (outcome.kind === 'reached') {
    const observed = `${address}: ${outcome.greeting ?? 'no SMTP greeting'}`;
    const remedy = `Another program responds at that address. Point ${hostname} to this server, or forward port ${port} to Mailkeel.`;
    return { ...question, status: 'warn', observed, remedy };
  }
  const observed = `${address}: ${outcome.error}`;
  if (outcome.why === 'refused') {
    const remedy = `Start the server and let it listen on port ${port} (MAILKEEL_INBOUND_PORT), or forward that port to it.`;
    return { ...question, status: 'warn', observed, remedy };
  }
  // Many networks do not route back to themselves, so a failure says nothing about access from outside.
  const remedy = `Test from another network whether ${hostname} is reachable on port ${port}. A firewall may be blocking it.`;
  return { ...question, status: 'warn', observed, remedy };
}

function isOther({ outcome }: ReachFact, hostname: string): boolean {
  if (outcome.kind !== 'reached' || outcome.greeting === null) return false;
  const [, name = ''] = outcome.greeting.split(' ');
  return canonicalHost(name) !== canonicalHost(hostname);
}

const isRefused = ({ outcome }: ReachFact): boolean => outcome.kind === 'failed' && outcome.why === 'refused';
const isLost = ({ outcome }: ReachFact): boolean => outcome.kind === 'failed' || outcome.greeting === null;

export interface CertificateFacts {
  origin: 'self-signed' | 'files' | 'acme';
  names: readonly string[];
  coversHost: boolean;
  /** Epoch ms. */
  notBefore: number;
  notAfter: number;
}

/**
 * `certificate` is a text if it cannot be used, or `null` if there is none yet. `mustVerify` is true if Mailkeel's MTA-STS policy
 * asks senders to verify it (RFC 8461 section 4.1).
 */
export function judgeCertificate(
  certificate: CertificateFacts | string | null,
  { hostname, mustVerify, now }: { hostname: string; mustVerify: boolean; now: number },
): CheckResult {
  const question = {
    name: 'certificate',
    subject: hostname,
    expected: `for ${hostname}, from a publicly trusted CA`,
  } as const;
  if (certificate === null) {
    return unknownResult(
      'certificate',
      hostname,
      'not created yet',
      'A self-signed certificate is created on first start.',
    );
  }
  if (typeof certificate === 'string') {
    const remedy = 'Correct the files in MAILKEEL_TLS_CERT and MAILKEEL_TLS_KEY.';
    return { ...question, status: 'fail', observed: certificate, remedy };
  }
  const { origin, names, coversHost, notBefore, notAfter } = certificate;
  const until = `${origin}, expires ${new Date(notAfter).toISOString().slice(0, 10)}`;
  const renew =
    origin === 'files'
      ? 'Renew the certificate in MAILKEEL_TLS_CERT.'
      : 'See the server log for the reason that renewal failed.';
  const unusable = mustVerify ? 'fail' : 'warn';
  if (now >= notAfter) return { ...question, status: unusable, observed: until, remedy: renew };
  if (!coversHost) {
    const observed = `${until}, for ${names.join(', ')}`.slice(0, 300);
    const remedy = `Get a certificate for ${hostname}, the name that mail servers and clients connect to.`;
    return { ...question, status: unusable, observed, remedy };
  }
  if (origin === 'self-signed') {
    const remedy =
      'Mail servers accept this certificate, but mail clients that verify certificates reject it. Set MAILKEEL_ACME_EMAIL or MAILKEEL_TLS_CERT.' +
      (mustVerify ? ' Until then, set MAILKEEL_MTA_STS_MODE to testing.' : '');
    return { ...question, status: unusable, observed: until, remedy };
  }
  if (notAfter - now < Math.min(END_WARN_MS, (notAfter - notBefore) * END_WARN_SHARE)) {
    return { ...question, status: 'warn', observed: until, remedy: renew };
  }
  return { ...question, status: 'pass', observed: until, remedy: null };
}
