// Provides the authorities that are trusted when a server shows a certificate.
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** By text of the additional authorities; a process has those of its settings, and none. */
const contexts = new Map<string, SecureContext>();

/**
 * Returns the shared TLS context that trusts the public authorities and `extraCa` (PEM). Reading all public
 * ones takes some 20 ms of a core, and a context without `extraCa` over a millisecond.
 */
export function trustContext(extraCa: readonly string[] = []): SecureContext {
  const extra = extraCa.join('\n');
  const made = contexts.get(extra);
  if (made !== undefined) return made;
  const context = createSecureContext(extraCa.length === 0 ? {} : { ca: [...rootCertificates, ...extraCa] });
  contexts.set(extra, context);
  return context;
}

/** Reads MAILKEEL_EXTRA_CA_FILE (PEM); empty without that setting. Throws if the file is unreadable. */
export function extraAuthorities(extraCaFile: string | null): readonly string[] {
  return extraCaFile === null ? [] : [readFileSync(extraCaFile, 'utf8')];
}
