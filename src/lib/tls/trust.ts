// Which authorities we believe when a server shows a certificate.
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** By the text of the authorities besides the public ones: in one process those of the settings, and none. */
const contexts = new Map<string, SecureContext>();

/**
 * The TLS context of all connections that trust the public authorities and `extraCa` (PEM). It is shared: reading all public ones
 * takes some 20 ms of a core, and a context without `extraCa` over a millisecond.
 */
export function trustContext(extraCa: readonly string[] = []): SecureContext {
  const extra = extraCa.join('\n');
  const made = contexts.get(extra);
  if (made !== undefined) return made;
  const context = createSecureContext(extraCa.length === 0 ? {} : { ca: [...rootCertificates, ...extraCa] });
  contexts.set(extra, context);
  return context;
}

/** The content of MAILKEEL_EXTRA_CA_FILE (PEM); empty without that setting. Throws when the file cannot be read. */
export function extraAuthorities(extraCaFile: string | null): readonly string[] {
  return extraCaFile === null ? [] : [readFileSync(extraCaFile, 'utf8')];
}
