// Routes of proofs. Callers who may read a message can issue its proof; anyone can verify one.
import { idParams, emailText, nameSchemas, nullable, shownAs, timestamp } from '../../contract/schema.js';
import { findProofSigner, isAttestation, isProofBundle, verifyAttestation } from './proof.rules.js';
import { type ProofPublicKey, publicKeySet } from '../../lib/tokens/index.js';
import { makeProof } from './make-proof.js';
import type { Keys } from '../../lib/secrets/index.js';
import type { Message } from '../messages.store.js';
import type { Scope } from '../../database/scope.js';
import type { MessageContext } from '../context.js';
import type { Api } from '../../http/api.js';
import { refuseTooMany } from '../../http/access/caller.js';
import { createClientLimit } from '../../http/access/rate-limit.js';
import { findMessage } from '../messages.routes.js';
import { Type } from 'typebox';
import type { StoredEvent } from '../../events/events.tables.js';

const auditEntry = Type.Object({ event: Type.String(), occurred_at: timestamp, actor: Type.String() });

const proof = Type.Object({
  object: Type.Literal('proof'),
  bundle: Type.Object({
    message_id: Type.String(),
    content_hash: Type.String(),
    subject: Type.String(),
    to: emailText,
    from: Type.String(),
    status: Type.String(),
    workspace_id: Type.String(),
    created_at: timestamp,
    audit: Type.Array(auditEntry),
    issued_at: timestamp,
  }),
  signature: Type.String({
    description: 'Base64-encoded Ed25519 signature of the canonical JSON (RFC 8785) of `bundle`.',
  }),
  key_id: Type.String(),
  algorithm: Type.Literal('ed25519'),
  public_key: Type.String({ description: 'The 32-byte public key, base64-encoded.' }),
  attestation: Type.Object({
    sandbox: Type.Boolean(),
    chain_head: Type.String({
      description: "Head of the workspace's audit chain when the proof was issued, in hexadecimal.",
    }),
    evidence: Type.Optional(
      Type.Array(
        Type.Object({
          occurred_at: timestamp,
          host: nullable(Type.String()),
          tls_version: nullable(Type.String()),
          reply: nullable(Type.String()),
        }),
        { description: "Replies of the recipient's mail server for each delivery." },
      ),
    ),
    approval: Type.Optional(
      Type.Object(
        {
          approved_at: timestamp,
          approved_by: Type.String({ description: 'The user ID.' }),
          approver_email: Type.String(),
          content_hash: Type.String({ description: 'The content that was approved.' }),
        },
        { description: 'The approval of a person. Absent if the message needed none.' },
      ),
    ),
  }),
  attestation_signature: Type.String({
    description: 'Base64-encoded signature of the canonical JSON (RFC 8785) of `{attestation, signature}`.',
  }),
});

/** A whole proof can be posted as issued. Of the other fields, only the attestation is read. */
const verifyRequest = Type.Object(
  {
    bundle: shownAs('ProofBundle'),
    signature: Type.Unknown(),
    attestation: Type.Optional(shownAs('ProofAttestation')),
    attestation_signature: Type.Optional(Type.Unknown()),
  },
  {
    additionalProperties: true,
    examples: [
      {
        bundle: {
          message_id: 'msg_01kdyak3se4w5amvgkazjzkvb7',
          content_hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          subject: 'Welcome',
          to: 'ann@example.com',
          from: 'news@customer.example',
          status: 'delivered',
          workspace_id: 'ws_01kdyak3se4w5amvgkazjzkvb7',
          created_at: '2026-03-01T09:00:00.000Z',
          audit: [{ event: 'queued', occurred_at: '2026-03-01T09:00:00.000Z', actor: 'api' }],
          issued_at: '2026-03-01T10:00:00.000Z',
        },
        signature: 'kJ3vQ2nW8xZ5…',
      },
    ],
  },
);

const proofVerification = Type.Object({
  object: Type.Literal('proof_verification'),
  valid: Type.Boolean(),
  sandbox: nullable(
    Type.Boolean({
      description:
        'Whether the message was created with a test key and therefore not delivered to anyone. `null` if the proof is invalid, or if it comes from an earlier release without an attestation and its message no longer exists.',
    }),
  ),
});

const proofKeySet = Type.Object({
  keys: Type.Array(
    Type.Object({
      key_id: Type.String(),
      algorithm: Type.Literal('ed25519'),
      public_key: Type.String(),
      created_at: Type.String(),
      retired_at: nullable(Type.String()),
      sandbox: Type.Boolean({ description: 'Whether the key only signs proofs of sandbox messages.' }),
    }),
  ),
});

nameSchemas({
  ProofAuditEntry: auditEntry,
  ProofBundle: proof.properties.bundle,
  ProofAttestation: proof.properties.attestation,
  Proof: proof,
  ProofVerify: verifyRequest,
  ProofVerification: proofVerification,
  ProofKey: proofKeySet.properties.keys.items,
  ProofKeySet: proofKeySet,
});

interface ProofRoutes extends Pick<MessageContext, 'store' | 'clock'> {
  keys: Pick<Keys, 'proofKeys'>;
  /** For each client address. Default 3,000. */
  verificationsPerMinute?: number;
}

const tags = ['Proofs'];
const VERIFICATIONS_PER_MINUTE = 3_000;

export function proofRoutes(app: Api, context: ProofRoutes): void {
  issueRoute(app, context);
  const { proofKeys } = context.keys;
  const all = [...proofKeys.all, proofKeys.sandbox];
  const perMinute = context.verificationsPerMinute ?? VERIFICATIONS_PER_MINUTE;
  const limit = refuseTooMany(createClientLimit(app, perMinute));

  app.post(
    '/v1/proof/verify',
    {
      config: { public: true, uniqueKeys: true, crossOrigin: true },
      onRequest: limit,
      schema: {
        operationId: 'proofs.verify',
        tags,
        summary: 'Verify a proof',
        description:
          'Checks `bundle` and `signature`, and the attestation if present. No API key is required. If anything does not match, the response has `valid: false`. `sandbox` shows whether the message was created with a test key and therefore not delivered to anyone.',
        body: verifyRequest,
        response: { 200: proofVerification },
      },
    },
    async (request) => {
      const sandbox = await verdictOn(context, request.body, all);
      return {
        object: 'proof_verification' as const,
        valid: sandbox !== 'invalid',
        sandbox: sandbox === 'invalid' ? null : sandbox,
      };
    },
  );

  app.get(
    '/.well-known/proof-keys.json',
    {
      config: { public: true, crossOrigin: true },
      schema: {
        operationId: 'proofs.getKeys',
        tags,
        summary: 'List the public keys for proofs',
        description:
          'Returns the public keys that verify proofs, including retired keys. No API key is required.',
        response: { 200: proofKeySet },
      },
    },
    () => publicKeySet(all),
  );
}

interface GivenProof {
  bundle: unknown;
  signature: unknown;
  attestation?: unknown;
  attestation_signature?: unknown;
}

/**
 * Returns whether a valid proof is about sandbox mail. Older proofs were signed before the sandbox had its own key. Their mode
 * comes from the attestation or the message, and is `null` if neither exists.
 */
async function verdictOn(
  { store }: ProofRoutes,
  { bundle, signature, attestation, attestation_signature }: GivenProof,
  keys: readonly ProofPublicKey[],
): Promise<boolean | null | 'invalid'> {
  const signer = findProofSigner({ bundle, signature }, keys);
  if (!signer || typeof signature !== 'string' || !isProofBundle(bundle)) return 'invalid';
  const isAttested = (attestation ?? attestation_signature ?? null) !== null;
  if (isAttested) {
    const holds = verifyAttestation({ attestation, attestation_signature, signature }, signer.publicKey);
    if (!holds || !isAttestation(attestation)) return 'invalid';
    return signer.isSandbox === true || attestation.sandbox;
  }
  if (signer.isSandbox === true) return true;
  const found = await store.messages.forToken(bundle.message_id);
  return found ? found.scope.mode === 'test' : null;
}

function issueRoute(app: Api, { store, keys: { proofKeys }, clock }: ProofRoutes): void {
  app.get(
    '/v1/messages/:id/proof',
    {
      config: { permission: 'send' },
      schema: {
        operationId: 'messages.getProof',
        tags: ['Messages'],
        summary: 'Issue a proof for a message',
        description:
          'Returns a signed proof of a message and its audit trail. Anyone can check it with `POST /v1/proof/verify` or offline with the public keys.',
        params: idParams,
        response: { 200: proof },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { message, trail } = await readTogether(store, scope, request.params.id);
      const head = await store.events.chainHead(scope.workspaceNumber);
      return makeProof({ message, trail, head, scope, proofKeys, now: clock() });
    },
  );
}

/** Reads a message and its audit trail in a consistent state, even during delivery. */
async function readTogether(
  store: ProofRoutes['store'],
  scope: Scope,
  publicId: string,
): Promise<{ message: Message; trail: StoredEvent[] }> {
  for (;;) {
    const message = await findMessage(store, scope, publicId);
    const trail = await store.events.auditTrailOfMessage(message.id);
    const after = await findMessage(store, scope, publicId);
    if (after.status === message.status) return { message, trail };
  }
}
