export {
  hasKeysOf,
  KeyFileError,
  type Keys,
  readKeySetId,
  masterKeyIn,
  openKeyFiles,
  readKeyFiles,
  ROTATABLE_KEYS,
  type RotatableKeys,
  rotateKey,
  writeKeyFiles,
} from './key-files.js';
export { createOpenTokens, createSealToken, type OpenTokens, type SealToken } from './mailed-token.js';
export { openWithPassphrase, sealWithPassphrase } from './passphrase.js';
export {
  dkimKeyContext,
  generateDkimKey,
  openOctets,
  openSecret,
  sealOctets,
  sealSecret,
} from './secrets.js';
