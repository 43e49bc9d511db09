// Signs node-forge certificates with OpenSSL, because node-forge takes a tenth of a second.
import { constants, privateEncrypt } from 'node:crypto';
import type { md, pki } from 'node-forge';

/** DigestInfo of SHA-256, which precedes the digest in a signature (RFC 8017 section 9.2). */
const SHA256_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/**
 * Returns a key for `certificate.sign` of node-forge that signs SHA-256 digests with an RSA key (PEM);
 * node-forge uses nothing else of it.
 */
export function signerWith(key: string): pki.rsa.PrivateKey {
  const sign = (digest: md.MessageDigest): string =>
    privateEncrypt(
      { key, padding: constants.RSA_PKCS1_PADDING },
      Buffer.concat([SHA256_INFO, Buffer.from(digest.digest().getBytes(), 'latin1')]),
    ).toString('latin1');
  return { sign } as pki.rsa.PrivateKey;
}
