export {
  isRecord,
  isSigned,
  keyFingerprint,
  parsePublicKey,
  parsePublicKeySet,
  type ProofPublicKey,
  type ProofSigningKey,
  publicKeySet,
  publicKeyText,
  signText,
} from './proof-keys.js';
export {
  readMessageToken,
  readTextToken,
  signMessageToken,
  signTextToken,
  type TokenKey,
  type TokenKind,
} from './signed-token.js';
export { readTraceparent, type TraceContext, writeTraceparent } from './traceparent.js';
