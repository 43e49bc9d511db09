// A self-signed certificate for TLS peers in tests, fresh at every call.

import forge from 'node-forge';

export interface TestCertificate {
  /** PEM. */
  key: string;
  /** PEM; also what a client trusts as `ca` to accept the peer. */
  cert: string;
}

/** Valid for a day around now, for the given DNS names. */
export function selfSignedCertificate(...names: string[]): TestCertificate {
  const keys = forge.pki.rsa.generateKeyPair(2048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 43_200_000);
  certificate.validity.notAfter = new Date(Date.now() + 43_200_000);
  const subject = [{ name: 'commonName', value: names[0] ?? 'localhost' }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
  ]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(certificate) };
}
