// A record of a DMARC aggregate report (RFC 7489 appendix C, RFC 9990).

export const DMARC_DISPOSITIONS = ['none', 'quarantine', 'reject'] as const;
export type DmarcDisposition = (typeof DMARC_DISPOSITIONS)[number];

export interface DmarcSignature {
  domain: string;
  /** '' where the report does not say. */
  selector: string;
  /** In lower case: pass, fail, none, policy, neutral, temperror, permerror. */
  result: string;
}

/** Mails of one source with the same results. */
export interface DmarcRecord {
  source_ip: string;
  count: number;
  /** `pass` of RFC 9990 is `none` here: nothing was done to the mail. */
  disposition: DmarcDisposition;
  /** Aligned results. */
  dkim: 'pass' | 'fail';
  spf: 'pass' | 'fail';
  /** Types of the receiver's reasons to do other than the policy says, such as `forwarded`. */
  reasons: string[];
  header_from: string;
  envelope_from: string | null;
  auth_dkim: DmarcSignature[];
  auth_spf: { domain: string; result: string } | null;
}
