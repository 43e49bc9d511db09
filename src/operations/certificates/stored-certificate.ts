// Stores a certificate and its key in one file, because two files cannot be replaced atomically.
import {
  type Certificate,
  type CertificateOrigin,
  type CertificatePair,
  readCertificate,
} from '../../lib/tls/index.js';
import { type FileReads, readText, type WholeFiles } from '../../lib/files/index.js';

/** Returns `null` if there is no usable certificate. */
export async function readStoredCertificate(
  files: FileReads,
  name: string,
  origin: CertificateOrigin,
): Promise<Certificate | null> {
  const text = await readText(files, name);
  return text === null ? null : certificateIn(text, origin);
}

export class StoredCertificate {
  readonly #files: WholeFiles;
  readonly #name: string;
  readonly #origin: CertificateOrigin;

  constructor(files: WholeFiles, name: string, origin: CertificateOrigin) {
    this.#files = files;
    this.#name = name;
    this.#origin = origin;
  }

  /** Returns `null` if there is no usable certificate. */
  read(): Promise<Certificate | null> {
    return readStoredCertificate(this.#files, this.#name, this.#origin);
  }

  /** Stores the pair. Throws if it is not a certificate and its key. */
  async replace(pair: CertificatePair): Promise<Certificate> {
    const certificate = this.#parse(pairText(pair));
    await this.#files.replace(this.#name, pairText(pair));
    return certificate;
  }

  /** Stores the pair unless another process was first. Returns the stored certificate. */
  async create(pair: CertificatePair): Promise<Certificate> {
    return this.#parse(await this.#files.createOnce(this.#name, pairText(pair)));
  }

  #parse(text: string): Certificate {
    const certificate = certificateIn(text, this.#origin);
    if (certificate === null) {
      throw new Error(`${this.#files.placeOf(this.#name)} does not contain a certificate and its key`);
    }
    return certificate;
  }
}

function certificateIn(text: string, origin: CertificateOrigin): Certificate | null {
  const answer = readCertificate(pairIn(text), origin);
  return answer.ok ? answer.certificate : null;
}

/** Returns the key followed by the certificate, which servers with a single file expect. */
function pairText({ key, cert }: CertificatePair): string {
  return `${key.trimEnd()}\n${cert.trimEnd()}\n`;
}

function pairIn(text: string): CertificatePair {
  const at = Math.max(0, text.indexOf('-----BEGIN CERTIFICATE-----'));
  return { key: text.slice(0, at), cert: text.slice(at) };
}
