// The proof of a message, from its row, its audit trail and the head of the event chain.
import { iso } from '../../contract/time.js';
import { readDetail } from '../../events/events.store.js';
import type { StoredEvent } from '../../events/events.tables.js';
import type { Scope } from '../../database/scope.js';
import { trailInCausalOrder } from '../causal-order.rules.js';
import type { Message } from '../messages.store.js';
import { type Proof, type ProofApproval, type ProofEvidence, proofText, signProof } from './proof.rules.js';
import type { ProofSigningKey } from '../../lib/tokens/index.js';

interface ProofFacts {
  message: Message;
  trail: readonly StoredEvent[];
  head: { hash: Uint8Array };
  scope: Pick<Scope, 'workspaceId' | 'mode'>;
  /** The sandbox key signs proofs of test messages. */
  proofKeys: { active: ProofSigningKey; sandbox: ProofSigningKey };
  now: number;
}

export function makeProof({ message, trail, head, scope, proofKeys, now }: ProofFacts): Proof {
  return signProof({
    bundle: {
      message_id: message.public_id,
      content_hash: message.content_hash,
      subject: message.subject,
      to: message.to_email,
      from: message.from_email,
      status: message.status,
      workspace_id: scope.workspaceId,
      created_at: iso(message.created_at),
      audit: trailInCausalOrder(trail).map(({ event, occurred_at, actor }) => ({
        event,
        occurred_at: iso(occurred_at),
        actor,
      })),
      issued_at: iso(now),
    },
    sandbox: scope.mode === 'test',
    chainHead: Buffer.from(head.hash),
    evidence: trail.filter(({ event }) => event === 'delivered').map(evidenceOf),
    approval: approvalOf(trail),
    key: scope.mode === 'test' ? proofKeys.sandbox : proofKeys.active,
  });
}

/** Null if no one approved the message, or if its trail was erased. */
function approvalOf(trail: readonly StoredEvent[]): ProofApproval | null {
  const entry = trail.find(({ event }) => event === 'approved');
  const { user_id: id, email, content_hash: hash } = (entry && readDetail(entry).metadata) ?? {};
  if (
    entry === undefined ||
    typeof id !== 'string' ||
    typeof email !== 'string' ||
    typeof hash !== 'string'
  ) {
    return null;
  }
  return {
    approved_at: iso(entry.occurred_at),
    approved_by: id,
    approver_email: proofText(email),
    content_hash: hash,
  };
}

function evidenceOf(entry: StoredEvent): ProofEvidence {
  const metadata = readDetail(entry).metadata ?? {};
  const text = (name: string): string | null => {
    const value = metadata[name];
    return typeof value === 'string' ? proofText(value) : null;
  };
  return {
    occurred_at: iso(entry.occurred_at),
    host: text('remote_host'),
    tls_version: text('tls_version'),
    reply: text('reply'),
  };
}
