// Proofs on the wire: the signed bundle of a message, and the check that needs no key.
import { Type } from 'typebox';
import { nameSchemas, nullable, timestamp } from './schema.js';

const auditEntry = Type.Object({ event: Type.String(), occurred_at: timestamp, actor: Type.String() });

export const proof = Type.Object({
  object: Type.Literal('proof'),
  bundle: Type.Object({
    message_id: Type.String(),
    content_hash: Type.String(),
    subject: Type.String(),
    to: Type.String(),
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
    bundle: Type.Unknown(),
    signature: Type.Unknown(),
    attestation: Type.Optional(Type.Unknown()),
    attestation_signature: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: true },
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
