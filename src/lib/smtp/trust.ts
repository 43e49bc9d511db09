// Whom we believe when a peer shows a certificate.
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/**
 * For peers that have TLS 1.0 or 1.1 only: encryption that is out of date, in place of none. Of no use where anything is to be
 * proven. OpenSSL leaves the signatures of these versions out at its security level 1 and above.
 */
export function oldVersionsContext(): SecureContext {
  return createSecureContext({ minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' });
}

/** One TLS context for all connections: making one costs over a millisecond of CPU. `extraCaFile` adds PEM authorities. */
export function trustContext(extraCaFile: string | null): SecureContext {
  if (extraCaFile === null) return createSecureContext();
  return createSecureContext({ ca: [...rootCertificates, readFileSync(extraCaFile, 'utf8')] });
}
