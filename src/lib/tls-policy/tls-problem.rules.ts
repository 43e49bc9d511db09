// Failures of TLS to a mail host, in the words of TLS reports (RFC 8460 section 4.3).

export type TlsProblem =
  | 'starttls-not-supported'
  | 'certificate-host-mismatch'
  | 'certificate-expired'
  | 'certificate-not-trusted'
  | 'validation-failure'
  | 'tlsa-invalid'
  | 'dnssec-invalid';

/** Why a session was not good enough: the type that reports count, and words for the attempt's record. */
export interface TlsFailure {
  problem: TlsProblem;
  error: string;
}

/** From the code with which Node says why a certificate did not verify, e.g. `CERT_HAS_EXPIRED`. */
export function certificateProblem(authorizationError: string): TlsProblem {
  switch (authorizationError) {
    case 'CERT_HAS_EXPIRED':
      return 'certificate-expired';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'certificate-host-mismatch';
    // RFC 8460 has one type for every other fault of a chain: unknown issuer, bad signature, not valid yet.
    default:
      return 'certificate-not-trusted';
  }
}
