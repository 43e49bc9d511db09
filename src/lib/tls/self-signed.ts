// Makes a self-signed certificate (RFC 5280): good for encryption, and for whoever pins it.
import { generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import type { CertificatePair } from './certificate.js';
import { signerWith } from './certificate-signer.js';

const DAY_MS = 86_400_000;
const LIFE_MS = 10 * 365 * DAY_MS;
/** For peers whose clocks are behind. */
const BACKDATED_MS = DAY_MS;
const MAX_COMMON_NAME = 64;
const SUBJECT_ALT_NAME = { dns: 2, address: 7 } as const;

const makeKeyPair = promisify(generateKeyPair);

/** RSA: legacy senders know nothing newer, and node-forge signs with nothing else. PKCS #8 in PEM. */
export async function newRsaKey(): Promise<string> {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** `names` are host names in A-labels and addresses, at least one; valid for ten years from `now` (epoch ms). */
export async function makeSelfSigned(names: readonly string[], now: number): Promise<CertificatePair> {
  // Loaded when needed: most starts find the certificate of an earlier one.
  const { default: forge } = await import('node-forge');
  const key = await newRsaKey();
  const signingKey = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(signingKey.n, signingKey.e);
  // Positive, and not 0 in its first octet (RFC 5280 section 4.1.2.2).
  certificate.serialNumber = `4${randomBytes(16).toString('hex').slice(1)}`;
  certificate.validity.notBefore = new Date(now - BACKDATED_MS);
  certificate.validity.notAfter = new Date(now + LIFE_MS);
  const [first = 'localhost'] = names;
  const name = [{ name: 'commonName', value: first.length <= MAX_COMMON_NAME ? first : 'mailkeel' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    // No authority: whoever trusts it trusts it for these names and nothing else. With a key usage older OpenSSL would not
    // take it for self-signed, and could not be configured to trust it.
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectKeyIdentifier' },
    {
      name: 'subjectAltName',
      altNames: names.map((one) =>
        isIP(one) === 0
          ? { type: SUBJECT_ALT_NAME.dns, value: one }
          : { type: SUBJECT_ALT_NAME.address, ip: one },
      ),
    },
  ]);
  certificate.sign(signerWith(key), forge.md.sha256.create());
  return { key, cert: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n') };
}
