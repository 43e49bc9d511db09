// Defines a record of a DMARC aggregate report (RFC 7489 appendix C, RFC 9990).

export const DMARC_DISPOSITIONS = ['none', 'quarantine', 'reject'] as const;
type DmarcDisposition = (typeof DMARC_DISPOSITIONS)[number];

interface DmarcSignature {
  domain: string;
  /** '' if the report does not state it. */
  selector: string;
  /** In lower case: pass, fail, none, policy, neutral, temperror, permerror. */
  result: string;
}

/** Messages of one source with the same results. */
export interface DmarcRecord {
  source_ip: string;
  count: number;
  /** `none` also stands for `pass` of RFC 9990: no action was taken. */
  disposition: DmarcDisposition;
  /** Aligned results. */
  dkim: 'pass' | 'fail';
  spf: 'pass' | 'fail';
  /** Types of the receiver's reasons for overriding the policy, such as `forwarded`. */
  reasons: string[];
  header_from: string;
  envelope_from: string | null;
  auth_dkim: DmarcSignature[];
  auth_spf: { domain: string; result: string } | null;
}
