// Reads the certificate of servers with these settings. Nothing is created or renewed.
import {
  type Certificate,
  type CertificatePair,
  coversName,
  createCertificateFiles,
  makeSelfSigned,
} from '../../lib/tls/index.js';
import type { FileReads } from '../../lib/files/index.js';
import type { CertificateFacts } from '../preflight/preflight-inbound.rules.js';
import type { Config } from '../../settings/settings.js';
import { ACME_FILE } from './acme.js';
import { selfSignedNames, type ServerNames } from './certificate-names.rules.js';
import { readStoredCertificate } from './stored-certificate.js';
import { SELF_SIGNED_FILE } from './self-signed.js';

type Settings = Pick<Config, 'tlsCertFile' | 'tlsKeyFile' | 'acmeEmail' | 'hostname'>;

/** Returns a text that says why the configured files cannot be used, or `null` if there is no certificate yet. */
export async function certificateInUse(
  settings: Settings,
  files: FileReads,
  now: number,
): Promise<CertificateFacts | string | null> {
  const found = await lookFor(settings, files, now);
  if (found === null || typeof found === 'string') return found;
  const { origin, names, notBefore, notAfter } = found;
  return { origin, names, notBefore, notAfter, coversHost: coversName(found, settings.hostname) };
}

/** Returns a certificate for a server that cannot work yet. Makes a temporary one if there is none, or if it cannot be read. */
export async function certificateToShow(
  settings: Settings & ServerNames,
  files: FileReads,
  now: number,
): Promise<CertificatePair> {
  const found = await lookFor(settings, files, now).catch(() => null);
  if (found !== null && typeof found !== 'string') return found;
  return makeSelfSigned(selfSignedNames(settings), now);
}

async function lookFor(
  { tlsCertFile: cert, tlsKeyFile: key, acmeEmail }: Settings,
  files: FileReads,
  now: number,
): Promise<Certificate | string | null> {
  if (cert !== null && key !== null) {
    const look = await createCertificateFiles({ cert, key }).look(now);
    if (look.kind === 'changed') return look.certificate;
    return look.kind === 'bad' ? look.problem : null;
  }
  const fetched = acmeEmail === null ? null : await readStoredCertificate(files, ACME_FILE, 'acme');
  return fetched ?? readStoredCertificate(files, SELF_SIGNED_FILE, 'self-signed');
}
