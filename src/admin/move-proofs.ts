// Creates proofs of the same messages from both databases of a move, which must be equal and valid.
import type { Keys } from '../lib/secrets/index.js';
import { makeProof } from '../messages/proof/make-proof.js';
import { verifyProofOffline } from '../messages/proof/proof-offline.rules.js';
import type { ReadStore } from '../app/store.js';

export interface CheckedProofs {
  checked: number;
  /** Public ids of the messages whose proof differs or is invalid. */
  failed: string[];
}

interface ProofCheck {
  before: ReadStore;
  after: ReadStore;
  ids: readonly string[];
  proofKeys: Keys['proofKeys'];
  now: number;
}

export async function checkProofs({
  before,
  after,
  ids,
  proofKeys,
  now,
}: ProofCheck): Promise<CheckedProofs> {
  const trusted = [...proofKeys.all, proofKeys.sandbox];
  const failed: string[] = [];
  for (const id of ids) {
    const proof = await proofText(after, id, { proofKeys, now });
    const isSame = proof !== null && proof === (await proofText(before, id, { proofKeys, now }));
    if (!isSame || !verifyProofOffline(proof, trusted).valid) failed.push(id);
  }
  return { checked: ids.length, failed };
}

async function proofText(
  store: ReadStore,
  id: string,
  { proofKeys, now }: Pick<ProofCheck, 'proofKeys' | 'now'>,
): Promise<string | null> {
  const found = await store.messages.forToken(id);
  const message = found && (await store.messages.message({ ...found.scope, subTenantId: null }, id));
  if (!found || !message) return null;
  const trail = await store.events.auditTrailOfMessage(message.id);
  const head = await store.events.chainHead(found.scope.workspaceNumber);
  return JSON.stringify(makeProof({ message, trail, head, scope: found.scope, proofKeys, now }));
}
