// Proofs: signed records of a message and its delivery, which anyone can verify.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { ProofKeySet, ProofVerification, ProofVerify } from '../types.js';

export class Proofs extends Resource {
  /**
   * Verifies a proof on the server. No key required. To verify without a server, use `proofs.verifyOffline` in this
   * package.
   *
   * @example
   * const { valid } = await mailkeel.proofs.verify(await mailkeel.messages.getProof('msg_01kdyak3se4w5amvgkazjzkvb7'));
   */
  verify(params: ProofVerify, options?: RequestOptions): ApiPromise<ProofVerification> {
    return this.call('POST /v1/proof/verify', { body: params, options, isKeyless: true, isPublic: true });
  }

  /**
   * Returns the public keys that verify proofs, including retired keys. No key required. Store them to verify proofs
   * offline.
   *
   * @example
   * const keys = await mailkeel.proofs.getKeys();
   */
  getKeys(options?: RequestOptions): ApiPromise<ProofKeySet> {
    return this.call('GET /.well-known/proof-keys.json', { options, isPublic: true });
  }
}
