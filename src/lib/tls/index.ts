export { createCertificateFiles } from './certificate-files.js';
export { signerWith } from './certificate-signer.js';
export {
  type Certificate,
  type CertificateOrigin,
  type CertificatePair,
  coversName,
  MIN_TLS_VERSION,
  NO_AUTHORITIES,
  OLD_VERSIONS,
  readCertificate,
  timeProblem,
} from './certificate.js';
export { makeSelfSigned, newRsaKey } from './self-signed.js';
export { extraAuthorities, trustContext } from './trust.js';
