// A certificate kept with its key in one file: two files could not be swapped at once.
import {
  readCertificate,
  type Certificate,
  type CertificateOrigin,
  type CertificatePair,
} from '../../lib/tls/certificate.js';
import { readText, type FileReads, type WholeFiles } from '../../lib/runtime/stored-files.js';

export interface StoredCertificate {
  /** Null when there is none, or none that can be used. */
  read(): Promise<Certificate | null>;
  /** Keeps this one. Throws when it is none. */
  replace(pair: CertificatePair): Promise<Certificate>;
  /** Keeps this one, unless another process was quicker; the one that is kept. */
  create(pair: CertificatePair): Promise<Certificate>;
}

/** Null when there is none, or none that can be used. */
export async function readStoredCertificate(
  files: FileReads,
  name: string,
  origin: CertificateOrigin,
): Promise<Certificate | null> {
  const text = await readText(files, name);
  return text === null ? null : certificateIn(text, origin);
}

export function createStoredCertificate(
  files: WholeFiles,
  name: string,
  origin: CertificateOrigin,
): StoredCertificate {
  const demand = (text: string): Certificate => {
    const certificate = certificateIn(text, origin);
    if (certificate === null)
      throw new Error(`${files.placeOf(name)} does not contain a certificate and its key`);
    return certificate;
  };
  return {
    read: () => readStoredCertificate(files, name, origin),
    async replace(pair) {
      const certificate = demand(textOf(pair));
      await files.replace(name, textOf(pair));
      return certificate;
    },
    create: async (pair) => demand(await files.createOnce(name, textOf(pair))),
  };
}

function certificateIn(text: string, origin: CertificateOrigin): Certificate | null {
  const answer = readCertificate(pairIn(text), origin);
  return answer.ok ? answer.certificate : null;
}

/** The key first, as servers that want one file like it. */
function textOf({ key, cert }: CertificatePair): string {
  return `${key.trimEnd()}\n${cert.trimEnd()}\n`;
}

function pairIn(text: string): CertificatePair {
  const at = Math.max(0, text.indexOf('-----BEGIN CERTIFICATE-----'));
  return { key: text.slice(0, at), cert: text.slice(at) };
}
