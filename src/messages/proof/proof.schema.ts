// Proofs on the wire: the signed bundle of a message, and the check that needs no key.
import { Type } from 'typebox';
import { emailText, nameSchemas, nullable, shownAs, timestamp } from '../../contract/schema.js';

const auditEntry = Type.Object({ event: Type.String(), occurred_at: timestamp, actor: Type.String() });

export const proof = Type.Object({
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
    description: 'Base64 of the Ed25519 signature over the RFC 8785 text of bundle.',
  }),
  key_id: Type.String(),
  algorithm: Type.Literal('ed25519'),
  public_key: Type.String({ description: 'The 32 octets of the public key, base64.' }),
  attestation: Type.Object({
    sandbox: Type.Boolean(),
    chain_head: Type.String({ description: "Head of the workspace's audit chain at issue, hex." }),
    evidence: Type.Optional(
      Type.Array(
        Type.Object({
          occurred_at: timestamp,
          host: nullable(Type.String()),
          tls_version: nullable(Type.String()),
          reply: nullable(Type.String()),
        }),
        { description: "What the recipient's server said at each delivery." },
      ),
    ),
  }),
  attestation_signature: Type.String({
    description: 'Base64, over the RFC 8785 text of {attestation, signature}.',
  }),
});

/** A whole proof can be posted as it was issued; of the rest the attestation is read. */
export const verifyRequest = Type.Object(
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

export const proofVerification = Type.Object({
  object: Type.Literal('proof_verification'),
  valid: Type.Boolean(),
  sandbox: nullable(
    Type.Boolean({
      description:
        'True: a test key made the message, and it was delivered to nobody. Null where the proof does not hold, or is of an ' +
        'earlier release, without attestation, and of a message that is gone.',
    }),
  ),
});

export const proofKeySet = Type.Object({
  keys: Type.Array(
    Type.Object({
      key_id: Type.String(),
      algorithm: Type.Literal('ed25519'),
      public_key: Type.String(),
      created_at: Type.String(),
      retired_at: nullable(Type.String()),
      sandbox: Type.Boolean({ description: 'The key signs proofs of sandbox mail alone.' }),
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
