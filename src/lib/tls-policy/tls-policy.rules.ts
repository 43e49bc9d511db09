// The TLS that a session to one MX host needs before mail goes over it, decided once per host and domain:
// DANE (RFC 7672) before MTA-STS (RFC 8461) before what is configured before what the peer offers; and the judgement of
// the session that then comes about.
import { X509Certificate } from 'node:crypto';
import { stsMatches } from './mta-sts.rules.js';
import type { TlsPolicyText } from './tls-report.rules.js';
import { daneFailure, tlsaText, type DaneLookup, type TlsaRecord } from './dane.rules.js';
import { certificateProblem, type TlsFailure, type TlsProblem } from './tls-problem.rules.js';

/** The state of a domain's MTA-STS policy. */
export type StsLookup =
  | { kind: 'none' }
  | { kind: 'policy'; policy: StsFacts }
  /** A policy is announced and cannot be had; there is no older one that still binds. */
  | { kind: 'failed'; resultType: string; detail: string };

interface StsFacts {
  domain: string;
  id: string;
  mode: 'enforce' | 'testing';
  mx: string[];
  /** The policy file's lines, for TLS reports. */
  lines: string[];
}

/** The TLS that a session needs. Made of plain values, since it is posted to another thread. */
export type TlsNeed =
  /** TLS if it is offered and works, in clear otherwise; nothing is verified. */
  | { kind: 'opportunistic' }
  /** TLS, and nothing is verified. */
  | { kind: 'encrypted'; reason: 'configured' | 'tlsa_unusable' }
  /** TLS 1.2 or later with a certificate for the host that the public authorities vouch for. */
  | { kind: 'verified'; reason: 'sts' | 'require_tls' }
  /** TLS with a certificate that the records mean. `names[0]` is to be sent as SNI. */
  | { kind: 'dane'; records: TlsaRecord[]; names: string[] };

/** Which policy a session counts under in TLS reports (RFC 8460 section 4.2). */
export interface TlsPolicyLabel {
  type: 'tlsa' | 'sts' | 'no-policy-found';
  /** The policy domain: with `tlsa` the name under which the records stand, else the recipient's domain. */
  domain: string;
  id?: string;
  mode?: 'enforce' | 'testing';
  /** The policy's own words: TLSA records, or lines of the policy file. */
  strings: string[];
  /** The patterns of an MTA-STS policy. */
  mx: string[];
}

/** As TLS reports quote it; null without a policy. */
export function quotedPolicy({ type, domain, strings, mx }: TlsPolicyLabel): TlsPolicyText | null {
  if (type === 'no-policy-found') return null;
  return { strings, mx: type === 'tlsa' ? [domain] : mx };
}

/** A fault that stops no mail and that TLS reports tell. */
export interface TlsNotice {
  /** A failure type of RFC 8460 section 4.3. */
  resultType: string;
  detail: string;
}

export type TlsDecision =
  | {
      kind: 'use';
      need: TlsNeed;
      policy: TlsPolicyLabel;
      /** Recorded whatever becomes of the session: a host that a policy in testing excludes, a policy that can't be had. */
      testing?: TlsNotice;
    }
  /** Not over this host; when no host is left the mail is deferred, and returned with 5.7.30. */
  | {
      kind: 'skip';
      reason: string;
      /** A failure type of RFC 8460 section 4.3. */
      resultType: string;
      /** `5.7.30` when the message itself asks for what cannot be had (RFC 8689 section 4.2.1), else of class 4. */
      enhanced: '4.7.5' | '5.7.30';
      policy: TlsPolicyLabel;
    };

export interface TlsQuestion {
  /** The recipient's domain. */
  domain: string;
  /** The MX host. */
  host: string;
  sts: StsLookup;
  dane: DaneLookup;
  configured: 'opportunistic' | 'required';
  /** The message asks for REQUIRETLS (RFC 8689). */
  requireTls: boolean;
  /**
   * Lets REQUIRETLS mail go to MX hosts that neither DNSSEC nor a policy vouches for, which RFC 8689 section 4.2.1
   * forbids. Default false.
   */
  trustUnsignedMx?: boolean;
}

/** The need of one MX host. */
export function decideTls(question: TlsQuestion): TlsDecision {
  const { dane } = question;
  if (dane.kind === 'bogus') {
    const policy: TlsPolicyLabel = { type: 'tlsa', domain: question.host, strings: [], mx: [] };
    return skip(policy, `DNSSEC: ${dane.reason}`, 'dnssec-invalid');
  }
  if (dane.kind === 'records') {
    const policy = tlsaLabel(dane);
    if (dane.usable.length > 0) {
      return { kind: 'use', need: { kind: 'dane', records: dane.usable, names: dane.names }, policy };
    }
    const weak = decideSts(question);
    const testing = { resultType: 'tlsa-invalid', detail: 'none of the TLSA records can be used' };
    // Records that nothing can be verified by ask for TLS at least; whoever asks for more gets more.
    if (weak.kind === 'skip' || weak.need.kind === 'verified') return weak;
    return { kind: 'use', need: { kind: 'encrypted', reason: 'tlsa_unusable' }, policy, testing };
  }
  return decideSts(question);
}

function decideSts(question: TlsQuestion): TlsDecision {
  const { domain, host, sts } = question;
  const none: TlsPolicyLabel = { type: 'no-policy-found', domain, strings: [], mx: [] };
  if (sts.kind === 'none') return decideRest(question, none, false);
  if (sts.kind === 'failed') {
    const { resultType, detail } = sts;
    const decision = decideRest(question, { ...none, type: 'sts' }, false);
    // The policy that would vouch for the host may be there again tomorrow.
    if (decision.kind === 'skip') return { ...decision, enhanced: '4.7.5', resultType };
    return withNotice(decision, { resultType, detail });
  }
  const { id, mode, mx, lines } = sts.policy;
  const policy: TlsPolicyLabel = { type: 'sts', domain: sts.policy.domain, id, mode, strings: lines, mx };
  const isAllowed = stsMatches(host, mx);
  const detail = `${host} is not among the hosts of the MTA-STS policy`;
  if (mode === 'enforce') {
    if (!isAllowed) return skip(policy, detail, 'validation-failure');
    return { kind: 'use', need: { kind: 'verified', reason: 'sts' }, policy };
  }
  const decision = decideRest(question, policy, isAllowed);
  return isAllowed ? decision : withNotice(decision, { resultType: 'validation-failure', detail });
}

/** Without a policy that binds. `isMxVouched`: a policy, though in testing, names the host. */
function decideRest(question: TlsQuestion, policy: TlsPolicyLabel, isMxVouched: boolean): TlsDecision {
  if (question.requireTls) {
    if (isMxVouched || isMxSecure(question.dane) || question.trustUnsignedMx === true) {
      return { kind: 'use', need: { kind: 'verified', reason: 'require_tls' }, policy };
    }
    const reason = 'the message requires TLS, but neither DNSSEC nor MTA-STS authenticates the mail server';
    return skip(policy, reason, 'validation-failure', '5.7.30');
  }
  const need: TlsNeed =
    question.configured === 'required'
      ? { kind: 'encrypted', reason: 'configured' }
      : { kind: 'opportunistic' };
  return { kind: 'use', need, policy };
}

function isMxSecure(dane: DaneLookup): boolean {
  return dane.kind === 'none' || dane.kind === 'records' || (dane.kind === 'insecure' && dane.isMxSecure);
}

function tlsaLabel(dane: Extract<DaneLookup, { kind: 'records' }>): TlsPolicyLabel {
  return { type: 'tlsa', domain: dane.base, strings: dane.records.map(tlsaText), mx: [] };
}

function withNotice(decision: TlsDecision, testing: TlsNotice): TlsDecision {
  return decision.kind === 'use' ? { ...decision, testing } : decision;
}

function skip(
  policy: TlsPolicyLabel,
  reason: string,
  resultType: TlsProblem,
  enhanced: '4.7.5' | '5.7.30' = '4.7.5',
): TlsDecision {
  return { kind: 'skip', reason, resultType, enhanced, policy };
}

/** TLS of a session, before anything is sent over it. */
export interface SeenTls {
  facts: {
    protocol: string;
    /** For the name that was sent as SNI, by the public authorities. */
    authorized: boolean;
    authorizationError: string | null;
    servername: string | null;
  };
  /** The server's certificates (DER), its own first and each followed by its issuer. */
  chain: readonly Buffer[];
  /** Epoch ms. */
  at: number;
}

export type TlsVerdict =
  /** `verifiedBy`: how we know that this is the right server, if we do. */
  { kind: 'accepted'; verifiedBy: 'webpki' | 'dane' | null } | ({ kind: 'rejected' } & TlsFailure);

/** Whether a session is what its host needs. A policy in testing is checked as `{kind: 'verified', reason: 'sts'}`. */
export function checkTls(need: TlsNeed, seen: SeenTls): TlsVerdict {
  const { authorized } = seen.facts;
  switch (need.kind) {
    case 'opportunistic':
    case 'encrypted':
      return { kind: 'accepted', verifiedBy: authorized ? 'webpki' : null };
    case 'verified': {
      const failure = certificateFailure(seen);
      return failure === null ? { kind: 'accepted', verifiedBy: 'webpki' } : { kind: 'rejected', ...failure };
    }
    case 'dane': {
      const { records, names } = need;
      const failure = daneFailure({ chain: seen.chain, records, names, now: seen.at });
      return failure === null ? { kind: 'accepted', verifiedBy: 'dane' } : { kind: 'rejected', ...failure };
    }
  }
}

const TOO_OLD = new Set(['SSLv3', 'TLSv1', 'TLSv1.1']);

/** RFC 8461 section 4.1 and 4.2: TLS 1.2, a certificate that verifies, and the name in its subjectAltName. */
function certificateFailure({ facts, chain }: SeenTls): TlsFailure | null {
  if (TOO_OLD.has(facts.protocol)) {
    return { problem: 'validation-failure', error: `${facts.protocol} is too old` };
  }
  if (!facts.authorized) {
    const reason = facts.authorizationError ?? 'unknown';
    return { problem: certificateProblem(reason), error: `certificate not verified: ${reason}` };
  }
  const [leaf] = chain;
  const isNamed =
    facts.servername === null ||
    (leaf !== undefined && hasAlternativeName(new X509Certificate(leaf), facts.servername));
  // Node accepts a common name where there is no subjectAltName; these policies do not.
  return isNamed
    ? null
    : { problem: 'certificate-host-mismatch', error: 'the name is not in the subjectAltName' };
}

function hasAlternativeName(certificate: X509Certificate, name: string): boolean {
  return certificate.checkHost(name, { subject: 'never', partialWildcards: false }) !== undefined;
}
