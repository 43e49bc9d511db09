// Signs a composed message: with DKIM for its author, or with ARC if it is forwarded for another one.
import { type DkimSigner, sealArc, signMessage } from '../../lib/dkim/index.js';
import type { ComposedMessage } from '../../lib/mime/index.js';
import type { ForwardTrace } from '../../messages/inboxes/forwards.tables.js';

interface Signing {
  /** The domain's keys come before the platform's. */
  signers: readonly DkimSigner[];
  /** Null for a message that is not forwarded. */
  forward: ForwardTrace | null;
  /** Unix seconds. */
  signedAt: number;
}

/** Returns the fields to put above the message. Throws if it cannot be signed. */
export function signatureFields(form: ComposedMessage, { signers, forward, signedAt }: Signing): string[] {
  if (forward === null) return signMessage({ ...form, signers, signedAt });
  const { chain, results } = forward;
  // Many verifiers of ARC support RSA only.
  const signer = signers.find(({ algorithm }) => algorithm === 'rsa-sha256') ?? signers[0];
  return chain === null || signer === undefined ? [] : sealArc({ ...form, signer, signedAt, chain, results });
}
