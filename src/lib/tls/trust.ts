// Which authorities we believe when a server shows a certificate.
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** The context made last, and the authorities besides the public ones that it was made with. */
let made: { extra: string; context: SecureContext } | null = null;

/**
 * The TLS context of all connections that trust the public authorities and `extraCa` (PEM). It is shared: reading all public ones
 * takes some 20 ms of a core, and a context without `extraCa` over a millisecond.
 */
export function trustContext(extraCa: readonly string[] = []): SecureContext {
  const extra = extraCa.join('\n');
  if (made?.extra !== extra) {
    const options = extraCa.length === 0 ? {} : { ca: [...rootCertificates, ...extraCa] };
    made = { extra, context: createSecureContext(options) };
  }
  return made.context;
}

/** The content of POSTHORN_EXTRA_CA_FILE (PEM); empty without that setting. Throws when the file cannot be read. */
export function extraAuthorities(extraCaFile: string | null): readonly string[] {
  return extraCaFile === null ? [] : [readFileSync(extraCaFile, 'utf8')];
}
