// One certificate for all programs that a test run starts, because generating a key takes longer than much of their work.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSelfSigned } from '../../src/lib/tls/index.js';

interface CertificateFiles {
  MAILKEEL_TLS_CERT: string;
  MAILKEEL_TLS_KEY: string;
}

let made: Promise<CertificateFiles> | null = null;

/** The settings that name its files. */
export function sharedCertificate(): Promise<CertificateFiles> {
  made ??= make();
  return made;
}

async function make(): Promise<CertificateFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-certificate-'));
  const files = { MAILKEEL_TLS_CERT: join(folder, 'cert.pem'), MAILKEEL_TLS_KEY: join(folder, 'key.pem') };
  const { key, cert } = await makeSelfSigned(['mta.platform.example', 'localhost'], Date.now());
  await writeFile(files.MAILKEEL_TLS_CERT, cert);
  await writeFile(files.MAILKEEL_TLS_KEY, key, { mode: 0o600 });
  return files;
}
