// Whom we believe when a peer shows a certificate.
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** One TLS context for all connections: making one costs over a millisecond of CPU. `extraCaFile` adds PEM authorities. */
export function trustContext(extraCaFile: string | null): SecureContext {
  if (extraCaFile === null) return createSecureContext();
  return createSecureContext({ ca: [...rootCertificates, readFileSync(extraCaFile, 'utf8')] });
}
