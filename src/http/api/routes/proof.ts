// Proofs of messages: issued to who may read the message, checked for anyone.
import { idParams } from '../../../contract/schema.js';
import { proof, proofKeySet, proofVerification, verifyRequest } from '../../../contract/proof.js';
import {
  publicKeySet,
  signProof,
  verifyProof,
  type ProofPublicKey,
  type ProofSigningKey,
} from '../../../mail/proof.js';
import type { Clock } from '../../../runtime/clock.js';
import type { StoredEvent } from '../../../store/events.js';
import type { Message } from '../../../store/messages.js';
import type { Scope } from '../../../store/scope.js';
import type { Store } from '../../../store/store.js';
import type { Api } from '../api.js';
import { refuseTooMany } from '../caller-address.js';
import { iso } from '../present/time.js';
import { createClientLimit } from '../rate-limit.js';
import { findMessage } from './messages.js';

export interface ProofDeps {
  store: Pick<Store, 'messages' | 'events'>;
  /** The active key signs; all of them verify. */
  proofKeys: { active: ProofSigningKey; all: readonly ProofPublicKey[] };
  clock: Clock;
}

const tags = ['Proof'];
/** Of one client address. */
const VERIFICATIONS_PER_MINUTE = 300;

export function proofRoutes(app: Api, deps: ProofDeps): void {
  issueRoute(app, deps);
  const { all } = deps.proofKeys;
  const limit = refuseTooMany(createClientLimit(app, VERIFICATIONS_PER_MINUTE));

  app.post(
    '/v1/proof/verify',
    {
      config: { public: true, uniqueKeys: true },
      onRequest: limit,
      schema: {
        operationId: 'verifyProof',
        tags,
        summary: 'Check a proof; needs no key',
        description:
          'Only `bundle` and `signature` are read. Whatever does not match is answered valid: false.',
        body: verifyRequest,
        response: { 200: proofVerification },
      },
    },
    (request) => {
      const { bundle, signature } = request.body;
      return { object: 'proof_verification' as const, valid: verifyProof({ bundle, signature }, all) };
    },
  );

  app.get(
    '/.well-known/posthorn-proof-keys.json',
    {
      config: { public: true },
      schema: {
        operationId: 'getProofKeys',
        tags,
        summary: 'The public keys that verify proofs, retired ones included',
        response: { 200: proofKeySet },
      },
    },
    () => publicKeySet(all),
  );
}

function issueRoute(app: Api, { store, proofKeys, clock }: ProofDeps): void {
  app.get(
    '/v1/messages/:id/proof',
    {
      config: { permission: 'send' },
      schema: {
        operationId: 'getMessageProof',
        tags,
        summary: 'Issue a signed proof of a message and its audit trail',
        params: idParams,
        response: { 200: proof },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { message, trail } = await readTogether(store, scope, request.params.id);
      const head = await store.events.chainHead(scope.workspaceNumber);
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
          audit: trail.map(({ event, occurred_at, actor }) => ({
            event,
            occurred_at: iso(occurred_at),
            actor,
          })),
          issued_at: iso(clock()),
        },
        sandbox: scope.mode === 'test',
        chainHead: Buffer.from(head.hash),
        key: proofKeys.active,
      });
    },
  );
}

/** A message and a trail that belong together, also while it is being delivered. */
async function readTogether(
  store: ProofDeps['store'],
  scope: Scope,
  publicId: string,
): Promise<{ message: Message; trail: StoredEvent[] }> {
  for (;;) {
    const message = await findMessage(store, scope, publicId);
    const trail = await store.events.trailOfMessage(message.id);
    const after = await findMessage(store, scope, publicId);
    if (after.status === message.status) return { message, trail };
  }
}
