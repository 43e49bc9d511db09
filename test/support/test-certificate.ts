// Creates a new self-signed certificate for TLS peers at every call.
import { issueCertificate } from './certificate-chain.js';

export interface TestCertificate {
  /** PEM. */
  key: string;
  /** PEM; a client that uses it as `ca` trusts the peer. */
  cert: string;
}

/** Valid for a day around now, for the given DNS names. */
export function selfSignedCertificate(...names: string[]): TestCertificate {
  const { key, cert } = issueCertificate({ commonName: names[0] ?? 'localhost', names });
  return { key, cert };
}
