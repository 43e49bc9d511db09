// Classifies TLS failures by the result types of TLS reports (RFC 8460 section 4.3).

export type TlsProblem =
  | 'starttls-not-supported'
  | 'certificate-host-mismatch'
  | 'certificate-expired'
  | 'certificate-not-trusted'
  | 'validation-failure'
  | 'tlsa-invalid'
  | 'dnssec-invalid';

/** A failed session: its result type for reports, and a text for the attempt's record. */
export interface TlsFailure {
  problem: TlsProblem;
  error: string;
}

/** Maps Node's verification error, such as `CERT_HAS_EXPIRED`, to a result type. */
export function certificateProblem(authorizationError: string): TlsProblem {
  switch (authorizationError) {
    case 'CERT_HAS_EXPIRED':
      return 'certificate-expired';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'certificate-host-mismatch';
    // RFC 8460 has one type for all other faults of a chain: unknown issuer, bad signature, not yet valid.
    default:
      return 'certificate-not-trusted';
  }
}
