// Authenticates a received message by DNS: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 9989) and ARC
// (RFC 8617). The package implements the protocols; this file adds limits and further rules, and shapes the
// result. Nothing is fetched over HTTP (BIMI is off).
import { Readable } from 'node:stream';
import { authenticate } from 'mailauth';
import { getDomain } from 'tldts';
import { canonicalHost } from '../dns-answers/index.js';
import { boundLookUps, type LookUp, type LookUpLimits } from './look-ups.js';
import { selectSignatures, type SignatureResult } from './dkim-selection.js';
import { type SpfResult, toSpfResult } from '../sender-policy/index.js';
import { unauthenticated } from './unauthenticated-mail.js';

type DmarcResult = 'pass' | 'fail' | 'none' | 'temperror' | 'permerror';
/** `policy`: the chain was not judged because of a limit. */
type ArcResult = 'pass' | 'fail' | 'none' | 'temperror' | 'policy';

export interface MailAuthentication {
  /** The domain of MAIL FROM, or of EHLO for a null sender. */
  spf: { result: SpfResult; domain: string | null };
  /** One result per examined signature. */
  dkim: readonly SignatureResult[];
  /**
   * `permerror` if From is not a single mailbox. `policy` is the policy that applies to From: none,
   * quarantine, reject.
   */
  dmarc: { result: DmarcResult; policy: string | null; domain: string | null };
  arc: { result: ArcResult };
  /** The domain of the only mailbox in the only From field; `null` for several or none. */
  fromDomain: string | null;
  /** Authenticated domains: those of valid DKIM signatures, and of SPF if aligned with From. */
  authenticatedDomains: readonly string[];
}

export interface MailEnvelope {
  /** IP address of the client; `null` if unknown. */
  clientAddress: string | null;
  /** The client's name in EHLO or HELO. */
  helo: string | null;
  /** Empty for the null sender; may lack a domain. */
  mailFrom: string;
}

export interface AuthenticationOptions extends LookUpLimits {
  resolve: LookUp;
  /** The server's host name, for the SPF macro `r`. */
  hostName: string;
}

/**
 * Creates a function that authenticates a message. Missing DNS answers become `temperror`, and malformed
 * input `permerror`. Rejects if the package fails. Pass the octets exactly as the client sent them.
 */
export function createMailAuthentication(
  options: AuthenticationOptions,
): (raw: Uint8Array, envelope: MailEnvelope) => Promise<MailAuthentication> {
  return async (raw, { clientAddress, helo, mailFrom }) => {
    const selection = selectSignatures(raw);
    if (selection === null) return unauthenticated('permerror');
    const lookUps = boundLookUps(options.resolve, options);
    try {
      // Passed in one piece, because the package copies the start of a long line again for each piece.
      const results = await authenticate(Readable.from([selection.message]), {
        resolver: lookUps.resolver,
        mta: options.hostName,
        // RFC 7208 section 2.4: a sender without a domain is checked by the EHLO name, like the null sender.
        sender: mailFrom.includes('@') ? mailFrom : '',
        ...(clientAddress === null ? {} : { ip: clientAddress }),
        ...(helo === null ? {} : { helo }),
        trustReceived: false,
        disableBimi: true,
      });
      const authentication = toAuthentication(results, selection, lookUps.failedNames);
      // The package reports neutral, which would be a statement by the domain.
      return clientAddress === null
        ? { ...authentication, spf: { result: 'none', domain: null } }
        : authentication;
    } finally {
      lookUps.end();
    }
  };
}

type PackageResults = Awaited<ReturnType<typeof authenticate>>;
type Selection = NonNullable<ReturnType<typeof selectSignatures>>;

function toAuthentication(
  results: PackageResults,
  selection: Selection,
  failedNames: ReadonlySet<string>,
): MailAuthentication {
  const { fromDomain } = selection;
  const isAligned = (domain: string | null): boolean =>
    domain !== null && isSameOrganization(domain, fromDomain);
  const dkim = [
    ...results.dkim.results.flatMap((signature): SignatureResult[] => {
      // Without a signature, the package returns a single result that says so.
      if (typeof signature.signingDomain !== 'string') return [];
      const domain = canonicalHost(signature.signingDomain);
      const result = toDkimResult(signature.status.result);
      return [{ result, domain, selector: signature.selector ?? '', aligned: isAligned(domain) }];
    }),
    ...selection.refused.map((authentication) => ({
      ...authentication,
      aligned: isAligned(authentication.domain),
    })),
  ];
  const spfDomain = results.spf === false ? null : canonicalHost(results.spf.domain);
  const spf = {
    result: results.spf === false ? 'none' : toSpfResult(results.spf.status.result),
    domain: spfDomain,
  };
  const vouching = dkim.filter(({ result }) => result === 'pass').map(({ domain }) => domain);
  const spfVouches = spf.result === 'pass' && isAligned(spfDomain);
  return {
    spf,
    dkim,
    dmarc: toDmarc(results, fromDomain),
    arc: { result: toArcResult(results, selection, failedNames) },
    fromDomain,
    authenticatedDomains: [
      ...new Set(spfVouches && spfDomain !== null ? [...vouching, spfDomain] : vouching),
    ],
  };
}

/**
 * Converts the DMARC result. The package finds policy and organizational domains by the tree walk of RFC 9989
 * section 4.10.
 */
function toDmarc({ dmarc }: PackageResults, fromDomain: string | null): MailAuthentication['dmarc'] {
  if (fromDomain === null || dmarc === false)
    return { result: 'permerror', policy: null, domain: fromDomain };
  const { result } = dmarc.status;
  if (result !== 'pass' && result !== 'fail')
    return { result: result === 'temperror' ? 'temperror' : 'none', policy: null, domain: fromDomain };
  return { result, policy: dmarc.policy, domain: fromDomain };
}

function toArcResult(
  { arc }: PackageResults,
  selection: Selection,
  failedNames: ReadonlySet<string>,
): ArcResult {
  if (selection.leftOutArc) return 'policy';
  if (arc === false || arc.status.result === 'none') return 'none';
  if (arc.status.result === 'pass') return 'pass';
  // The package reports `fail` if it could not get a key, or if a signature covered by the chain was left
  // out.
  if (selection.arcKeyNames.some((name) => failedNames.has(name))) return 'temperror';
  return selection.leftOutSignature ? 'policy' : 'fail';
}

function isSameOrganization(domain: string, other: string | null): boolean {
  if (other === null) return false;
  return domain === other || organizationalDomain(domain) === organizationalDomain(other);
}

function organizationalDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

function toDkimResult(result: string): SignatureResult['result'] {
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
