// Creates a self-signed certificate (RFC 5280), for encryption and for clients that pin it.
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

/**
 * Generates an RSA key as PKCS #8 in PEM. Legacy senders support nothing newer, and node-forge signs with
 * nothing else.
 */
export async function newRsaKey(): Promise<string> {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * Creates a certificate for `names`, at least one host name (A-labels) or address, valid for ten years from
 * `now` (epoch ms).
 */
export async function makeSelfSigned(names: readonly string[], now: number): Promise<CertificatePair> {
  // Loaded on demand, because most starts find an earlier certificate.
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
    // Not an authority, so it is only trusted for these names. With a key usage, older OpenSSL would not
    // recognize it as self-signed and could not trust it.
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
