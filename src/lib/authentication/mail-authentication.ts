// Who a received message is from, as far as DNS proves it: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC
// (RFC 8617). The package does the protocols; limits, our own rules and the answer's shape are here. It is asked for
// nothing that fetches by HTTP (BIMI is off).
import { Readable } from 'node:stream';
import { authenticate } from 'mailauth';
import { getDomain } from 'tldts';
import { canonicalHost } from '../dns/dns-answer.rules.js';
import { boundLookUps, type LookUp, type LookUpLimits } from './look-ups.js';
import { selectSignatures, type DkimVerdict } from './dkim-selection.js';
import { spfResultOf, type SpfResult } from './spf.rules.js';
import { unjudged } from './unauthenticated-mail.js';

export type DmarcResult = 'pass' | 'fail' | 'none' | 'temperror' | 'permerror';
/** `policy`: there is a chain that our limits kept us from judging. */
export type ArcResult = 'pass' | 'fail' | 'none' | 'temperror' | 'policy';

export interface MailAuthentication {
  /** The domain of MAIL FROM; of EHLO with a null sender. */
  spf: { result: SpfResult; domain: string | null };
  /** One for each signature that was looked at; empty without any. */
  dkim: readonly DkimVerdict[];
  /** `permerror` when From is no single mailbox; `policy` is that of the record: none, quarantine, reject. */
  dmarc: { result: DmarcResult; policy: string | null; domain: string | null };
  arc: { result: ArcResult };
  /** Of the only mailbox in the only From field; null when there are several or none. */
  fromDomain: string | null;
  /** Domains that vouch for the message: of DKIM signatures that verify, and of SPF where it is aligned with From. */
  authenticatedDomains: readonly string[];
}

export interface MailEnvelope {
  /** IP address of the client; null where none is known. */
  clientAddress: string | null;
  /** What it called itself. */
  helo: string | null;
  /** Empty for the null sender. */
  mailFrom: string;
}

export interface AuthenticationOptions extends LookUpLimits {
  resolve: LookUp;
  /** Our own name, for the macro `r` of SPF. */
  hostName: string;
}

/**
 * Judges a message. Never rejects: what DNS does not answer in time is `temperror`, what cannot be judged `permerror`.
 * The octets are those that the client sent, with nothing added above.
 */
export function createMailAuthentication(
  options: AuthenticationOptions,
): (raw: Uint8Array, envelope: MailEnvelope) => Promise<MailAuthentication> {
  return async (raw, { clientAddress, helo, mailFrom }) => {
    const selection = selectSignatures(raw);
    if (selection === null) return unjudged('permerror');
    const lookUps = boundLookUps(options.resolve, options);
    try {
      // In one piece: of a long line the package copies the beginning again with each piece.
      const judged = await authenticate(Readable.from([selection.message]), {
        resolver: lookUps.resolver,
        mta: options.hostName,
        sender: mailFrom,
        ...(clientAddress === null ? {} : { ip: clientAddress }),
        ...(helo === null ? {} : { helo }),
        trustReceived: false,
        disableBimi: true,
      });
      const verdict = verdictOf(judged, selection, lookUps.failedNames);
      // The package calls it neutral, which would be a statement of the domain's.
      return clientAddress === null ? { ...verdict, spf: { result: 'none', domain: null } } : verdict;
    } catch {
      // The package stumbles over the message, which is its writer's doing: there is nothing to try again.
      return unjudged('permerror');
    } finally {
      lookUps.end();
    }
  };
}

type Judged = Awaited<ReturnType<typeof authenticate>>;
type Selection = NonNullable<ReturnType<typeof selectSignatures>>;

function verdictOf(
  judged: Judged,
  selection: Selection,
  failedNames: ReadonlySet<string>,
): MailAuthentication {
  const { fromDomain } = selection;
  const isAligned = (domain: string | null): boolean =>
    domain !== null && isSameOrganization(domain, fromDomain);
  const dkim = [
    ...judged.dkim.results.flatMap((signature): DkimVerdict[] => {
      // Without a signature the package gives one result that says so.
      if (typeof signature.signingDomain !== 'string') return [];
      const domain = canonicalHost(signature.signingDomain);
      const result = dkimResultOf(signature.status.result);
      return [{ result, domain, selector: signature.selector ?? '', aligned: isAligned(domain) }];
    }),
    ...selection.refused.map((verdict) => ({ ...verdict, aligned: isAligned(verdict.domain) })),
  ];
  const spfDomain = judged.spf === false ? null : canonicalHost(judged.spf.domain);
  const spf = {
    result: judged.spf === false ? 'none' : spfResultOf(judged.spf.status.result),
    domain: spfDomain,
  };
  const vouching = dkim.filter(({ result }) => result === 'pass').map(({ domain }) => domain);
  const spfVouches = spf.result === 'pass' && isAligned(spfDomain);
  return {
    spf,
    dkim,
    dmarc: dmarcOf(judged, {
      fromDomain,
      dkimDomains: vouching,
      spfDomain: spf.result === 'pass' ? spfDomain : null,
    }),
    arc: { result: arcOf(judged, selection, failedNames) },
    fromDomain,
    authenticatedDomains: [
      ...new Set(spfVouches && spfDomain !== null ? [...vouching, spfDomain] : vouching),
    ],
  };
}

/**
 * Policy and record are the package's; pass or fail is ours, because it takes strict alignment for relaxed
 * (RFC 7489 section 3.1) and counts signatures that were refused here.
 */
function dmarcOf(
  { dmarc }: Judged,
  facts: { fromDomain: string | null; dkimDomains: readonly string[]; spfDomain: string | null },
): MailAuthentication['dmarc'] {
  const { fromDomain, dkimDomains, spfDomain } = facts;
  if (fromDomain === null || dmarc === false)
    return { result: 'permerror', policy: null, domain: fromDomain };
  const { result } = dmarc.status;
  if (result !== 'pass' && result !== 'fail') {
    return { result: result === 'temperror' ? 'temperror' : 'none', policy: null, domain: fromDomain };
  }
  const { alignment } = dmarc;
  const fits = (domain: string, isStrict: boolean): boolean =>
    isStrict ? domain === fromDomain : isSameOrganization(domain, fromDomain);
  const passes =
    dkimDomains.some((domain) => fits(domain, alignment.dkim.strict)) ||
    (spfDomain !== null && fits(spfDomain, alignment.spf.strict));
  const policy = typeof dmarc.policy === 'string' ? dmarc.policy.trim().toLowerCase().slice(0, 20) : null;
  return { result: passes ? 'pass' : 'fail', policy, domain: fromDomain };
}

function arcOf({ arc }: Judged, selection: Selection, failedNames: ReadonlySet<string>): ArcResult {
  if (selection.leftOutArc) return 'policy';
  if (arc === false || arc.status.result === 'none') return 'none';
  if (arc.status.result === 'pass') return 'pass';
  // The package says `fail` when it could not get a key, and when a signature that the chain covers was left out.
  if (selection.arcKeyNames.some((name) => failedNames.has(name))) return 'temperror';
  return selection.leftOutSignature ? 'policy' : 'fail';
}

function isSameOrganization(domain: string, other: string | null): boolean {
  if (other === null) return false;
  return domain === other || organizationOf(domain) === organizationOf(other);
}

function organizationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

function dkimResultOf(result: string): DkimVerdict['result'] {
  switch (result) {
    case 'pass':
    case 'fail':
    case 'policy':
    case 'temperror':
    case 'permerror':
      return result;
    default:
      return 'neutral';
  }
}
