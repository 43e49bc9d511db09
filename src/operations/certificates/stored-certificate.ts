// A certificate kept with its key in one file of the data folder: two files could not be swapped at once.
import {
  readCertificate,
  type Certificate,
  type CertificateOrigin,
  type CertificatePair,
} from '../../lib/tls/certificate.js';
import { createFileOnce, readIfThere, replaceFile } from '../../lib/runtime/whole-file.js';

export interface StoredCertificate {
  /** Null when there is none, or none that can be used. */
  read(): Promise<Certificate | null>;
  /** Keeps this one. Throws when it is none. */
  replace(pair: CertificatePair): Promise<Certificate>;
  /** Keeps this one, unless another process was quicker; the one that is kept. */
  create(pair: CertificatePair): Promise<Certificate>;
}

export function createStoredCertificate(path: string, origin: CertificateOrigin): StoredCertificate {
  const certificateIn = (text: string): Certificate | null => {
    const answer = readCertificate(pairIn(text), origin);
    return answer.ok ? answer.certificate : null;
  };
  const demand = (text: string): Certificate => {
    const certificate = certificateIn(text);
    if (certificate === null) throw new Error(`${path} holds no certificate with its key`);
    return certificate;
  };
  return {
    async read() {
      const text = await readIfThere(path);
      return text === null ? null : certificateIn(text);
    },
    async replace(pair) {
      const certificate = demand(textOf(pair));
      await replaceFile(path, textOf(pair));
      return certificate;
    },
    create: async (pair) => demand(await createFileOnce(path, textOf(pair))),
  };
}

/** The key first, as servers that want one file like it. */
function textOf({ key, cert }: CertificatePair): string {
  return `${key.trimEnd()}\n${cert.trimEnd()}\n`;
}

function pairIn(text: string): CertificatePair {
  const at = Math.max(0, text.indexOf('-----BEGIN CERTIFICATE-----'));
  return { key: text.slice(0, at), cert: text.slice(at) };
}
