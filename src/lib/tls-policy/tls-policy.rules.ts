// Decides the TLS that a session to an MX host needs, and judges the session. DANE (RFC 7672) precedes
// MTA-STS (RFC 8461), then the configuration, then the peer's offer.
import { X509Certificate } from 'node:crypto';
import { stsMatches } from './mta-sts.rules.js';
import type { TlsPolicyText } from './tls-report.rules.js';
import { daneFailure, tlsaText, type DaneLookup, type TlsaRecord } from './dane.rules.js';
import { certificateProblem, type TlsFailure, type TlsProblem } from './tls-problem.rules.js';

/** The state of a domain's MTA-STS policy. */
export type StsLookup =
  | { kind: 'none' }
  | { kind: 'policy'; policy: StsFacts }
  /** A policy is announced but unavailable, and no earlier one is still valid. */
  | { kind: 'failed'; resultType: string; detail: string };

interface StsFacts {
  domain: string;
  id: string;
  mode: 'enforce' | 'testing';
  mx: string[];
  /** Lines of the policy file, for TLS reports. */
  lines: string[];
}

/** The TLS that a session needs, as plain values that can be posted to another thread. */
export type TlsNeed =
  /** TLS if offered and working, otherwise plain text; never verified. */
  | { kind: 'opportunistic' }
  /** TLS, not verified. */
  | { kind: 'encrypted'; reason: 'configured' | 'tlsa_unusable' }
  /** TLS 1.2 or later, with a certificate for the host from a public authority. */
  | { kind: 'verified'; reason: 'sts' | 'require_tls' }
  /** TLS with a certificate that matches the records. Send `names[0]` as SNI. */
  | { kind: 'dane'; records: TlsaRecord[]; names: string[] };

/** The policy under which TLS reports count a session (RFC 8460 section 4.2). */
export interface TlsPolicyLabel {
  type: 'tlsa' | 'sts' | 'no-policy-found';
  /** The policy domain: for `tlsa` the base domain of the records, otherwise the recipient's domain. */
  domain: string;
  id?: string;
  mode?: 'enforce' | 'testing';
  /** TLSA records, or lines of the policy file. */
  strings: string[];
  /** MX patterns of an MTA-STS policy. */
  mx: string[];
}

/** Returns the policy as TLS reports quote it; `null` without a policy. */
export function quotedPolicy({ type, domain, strings, mx }: TlsPolicyLabel): TlsPolicyText | null {
  if (type === 'no-policy-found') return null;
  return { strings, mx: type === 'tlsa' ? [domain] : mx };
}

/** A problem that stops no mail but appears in TLS reports. */
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
      /** Recorded regardless of the outcome: a testing policy excludes the host, or a policy is unavailable. */
      testing?: TlsNotice;
    }
  /** Don't use this host. If no host is left, the mail is deferred, or returned with 5.7.30. */
  | {
      kind: 'skip';
      reason: string;
      /** A failure type of RFC 8460 section 4.3. */
      resultType: string;
      /**
       * `5.7.30` if the message itself requires TLS that is not available (RFC 8689 section 4.2.1); otherwise
       * of class 4.
       */
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
  /** The message uses REQUIRETLS (RFC 8689). */
  requireTls: boolean;
  /**
   * Sends REQUIRETLS mail to MX hosts that neither DNSSEC nor a policy authenticates, which RFC 8689
   * section 4.2.1 forbids. Default false.
   */
  trustUnsignedMx?: boolean;
}

/** Decides the TLS for one MX host. */
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
    // Unusable records still require TLS. A stricter requirement from elsewhere wins.
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
    // The policy that authenticates the host may be available again later.
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

/** Decides without a binding policy. `isMxVouched` means that a testing policy names the host. */
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

/** Facts of a session before anything is sent over it. */
export interface SeenTls {
  facts: {
    protocol: string;
    /** The certificate verifies for the SNI name by public authorities. */
    authorized: boolean;
    authorizationError: string | null;
    servername: string | null;
  };
  /** The server's certificates (DER), its own first, each followed by its issuer. */
  chain: readonly Buffer[];
  /** Epoch ms. */
  at: number;
}

export type TlsVerdict =
  /** `verifiedBy`: how the server's identity was proven, if it was. */
  { kind: 'accepted'; verifiedBy: 'webpki' | 'dane' | null } | ({ kind: 'rejected' } & TlsFailure);

/**
 * Returns whether a session satisfies its need. Check testing policies as `{kind: 'verified', reason:
 * 'sts'}`.
 */
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

/**
 * Applies RFC 8461 sections 4.1 and 4.2: TLS 1.2, a valid certificate, and the name in its subjectAltName.
 */
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
  // Node accepts a common name without a subjectAltName; these policies don't.
  return isNamed
    ? null
    : { problem: 'certificate-host-mismatch', error: 'the name is not in the subjectAltName' };
}

function hasAlternativeName(certificate: X509Certificate, name: string): boolean {
  return certificate.checkHost(name, { subject: 'never', partialWildcards: false }) !== undefined;
}
