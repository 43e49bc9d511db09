// Creates certificates under a test authority, with every fault that a verifier must detect.
import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import { signerWith } from '../../src/lib/tls/index.js';

export interface IssuedCertificate {
  /** PEM. */
  key: string;
  /** PEM, of this certificate alone. */
  cert: string;
  der: Buffer;
  subject: { name: string; value: string }[];
}

export interface CertificateWish {
  commonName?: string;
  /** subjectAltName; undefined omits the extension. */
  names?: readonly string[];
  /** Issuer; self-signed by default. */
  issuer?: IssuedCertificate;
  isAuthority?: boolean;
  pathLength?: number;
  /** Days from now. */
  from?: number;
  to?: number;
  /** Extended key usage: for clients only. */
  forClients?: boolean;
  /** Reuses the key of another certificate. */
  keyOf?: IssuedCertificate;
}

const DAY_MS = 86_400_000;
let serial = 0;

export function issueCertificate(wish: CertificateWish = {}): IssuedCertificate {
  const { names = [], isAuthority = false, issuer } = wish;
  const key = wish.keyOf?.key ?? newKey();
  const forgeKey = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(forgeKey.n, forgeKey.e);
  serial += 1;
  certificate.serialNumber = serial.toString(16).padStart(4, '0');
  certificate.validity.notBefore = new Date(Date.now() + (wish.from ?? -1) * DAY_MS);
  certificate.validity.notAfter = new Date(Date.now() + (wish.to ?? 1) * DAY_MS);
  const subject = [{ name: 'commonName', value: wish.commonName ?? names[0] ?? `Authority ${serial}` }];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer?.subject ?? subject);
  const { pathLength } = wish;
  certificate.setExtensions([
    ...(isAuthority
      ? [
          {
            name: 'basicConstraints',
            cA: true,
            ...(pathLength === undefined ? {} : { pathLenConstraint: pathLength }),
          },
          { name: 'keyUsage', keyCertSign: true, cRLSign: true },
        ]
      : []),
    ...(names.length > 0
      ? [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }]
      : []),
    ...(wish.forClients === true ? [{ name: 'extKeyUsage', clientAuth: true }] : []),
  ]);
  certificate.sign(signerWith(issuer?.key ?? key), forge.md.sha256.create());
  const cert = forge.pki.certificateToPem(certificate);
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'latin1');
  return { key, cert, der, subject };
}

/** In the order in which a server sends them: its own first. */
export function chainOf(...certificates: IssuedCertificate[]): { key: string; cert: string } {
  return { key: certificates[0]?.key ?? '', cert: certificates.map(({ cert }) => cert).join('') };
}

// OpenSSL is quicker at this than node-forge.
function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}
