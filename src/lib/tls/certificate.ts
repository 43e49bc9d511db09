// Reads, checks and describes a server certificate with its key.
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { canonicalAddress } from '../addresses/index.js';

/** PEM. */
export interface CertificatePair {
  key: string;
  /** The server's own certificate, followed by its issuers. */
  cert: string;
}

export type CertificateOrigin = 'self-signed' | 'files' | 'acme';

export interface Certificate extends CertificatePair {
  origin: CertificateOrigin;
  /** DNS names and addresses of the subjectAltName. */
  names: readonly string[];
  /** Epoch ms. */
  notBefore: number;
  notAfter: number;
  /** SHA-256 of the first certificate, hex digits with colons. */
  fingerprint: string;
}

type ReadCertificate =
  | { ok: true; certificate: Certificate }
  /** `part` names the file; `problem` continues a sentence after its name. */
  | { ok: false; part: keyof CertificatePair; problem: string };

/** The oldest version of Mailkeel's servers. */
export const MIN_TLS_VERSION = 'TLSv1.2';
/** Also allows TLS 1.0 and 1.1, whose signatures OpenSSL disables at security level 1 and above. */
export const OLD_VERSIONS = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
/**
 * For servers that request no client certificates. Otherwise Node reads all root certificates for the first
 * one, which adds 30 ms to every start.
 */
export const NO_AUTHORITIES = { ca: [] as string[] };
/** Limit of a PEM file; chains take a hundredth of it. */
export const MAX_PEM_BYTES = 1024 * 1024;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const PRIVATE_KEY = /-----BEGIN ([A-Z ]+ )?PRIVATE KEY-----[^-]+-----END (?:[A-Z ]+ )?PRIVATE KEY-----/;
const LOCKED_KEY = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** Checks everything except the validity period; `timeProblem` does that. */
export function readCertificate(pair: CertificatePair, origin: CertificateOrigin): ReadCertificate {
  const chain = readChain(pair.cert);
  const [own] = chain ?? [];
  if (chain === null) return bad('cert', 'contains an invalid certificate');
  if (own === undefined) return bad('cert', 'contains no PEM certificate');
  const key = readKey(pair.key);
  if (typeof key === 'string') return bad('key', key);
  if (!own.checkPrivateKey(key)) {
    return chain.some((other) => other.checkPrivateKey(key))
      ? bad(
          'cert',
          "does not start with the server's own certificate. Put it first, followed by its issuers.",
        )
      : bad('key', 'does not match the certificate');
  }
  const refused = refusedByTls(pair);
  if (refused !== null) return bad('cert', `cannot be used for TLS: ${refused}`);
  return {
    ok: true,
    certificate: {
      ...pair,
      origin,
      names: readNames(own),
      notBefore: Date.parse(own.validFrom),
      notAfter: Date.parse(own.validTo),
      fingerprint: own.fingerprint256,
    },
  };
}

/** Returns why it is not valid at `now`, to continue a sentence after its name, or `null`. */
export function timeProblem(
  certificate: Pick<Certificate, 'notBefore' | 'notAfter'>,
  now: number,
): string | null {
  const day = (time: number): string => new Date(time).toISOString();
  if (now >= certificate.notAfter) return `expired on ${day(certificate.notAfter)}`;
  if (now < certificate.notBefore) return `is not valid before ${day(certificate.notBefore)}`;
  return null;
}

/** Returns whether the certificate covers this host name, including by wildcard. */
export function coversName(certificate: CertificatePair, name: string): boolean {
  const [own] = readChain(certificate.cert) ?? [];
  return own?.checkHost(name, { subject: 'never' }) !== undefined;
}

function bad(part: keyof CertificatePair, problem: string): ReadCertificate {
  return { ok: false, part, problem };
}

function readChain(pem: string): X509Certificate[] | null {
  try {
    return (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one));
  } catch {
    return null; // OpenSSL's own text ("asn1 encoding routines") is of no help.
  }
}

/** Returns the key, or the problem with it. */
function readKey(pem: string): KeyObject | string {
  if (LOCKED_KEY.test(pem)) return 'is protected by a passphrase. Use a key without a passphrase.';
  const [block] = PRIVATE_KEY.exec(pem) ?? [];
  if (block === undefined) return 'contains no PEM private key';
  try {
    return createPrivateKey(block);
  } catch {
    return 'contains an invalid private key';
  }
}

/** Returns OpenSSL's objection, for example to a short key. */
function refusedByTls(pair: CertificatePair): string | null {
  try {
    createSecureContext({ ...pair, ...NO_AUTHORITIES, minVersion: MIN_TLS_VERSION });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readNames(certificate: X509Certificate): string[] {
  return (certificate.subjectAltName ?? '').split(', ').flatMap((entry) => {
    const [, kind, value = ''] = /^(DNS|IP Address):(.+)$/.exec(entry) ?? [];
    if (kind === undefined) return [];
    return [kind === 'DNS' ? value.toLowerCase() : canonicalAddress(value)];
  });
}
