// Tests proofs through the API: a proof of a test key's mail cannot be mistaken for a proof of delivery.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signProof, type Proof } from '../../src/messages/proof/proof.rules.js';
import { parsePublicKeySet } from '../../src/lib/tokens/index.js';
import { verifyProofOffline } from '../../src/messages/proof/proof-offline.rules.js';
import { auditTrailEntry, auditTrailSubject } from '../../src/events/audit-trail-entry.store.js';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

const CLAIM = {
  from: 'ceo@bank.example',
  to: 'delivered@example.com',
  subject: 'The contract',
  text: 'Yes.',
};

async function proofOf(key: string, body: Record<string, unknown> = {}): Promise<Proof> {
  const sent = await rig.ask('POST', '/v1/messages', { key, body: { ...CLAIM, ...body } });
  expect(sent.status).toBe(202);
  const { json } = await rig.ask('GET', `/v1/messages/${sent.json.id}/proof`, { key });
  return json as unknown as Proof;
}

async function check(proof: object): Promise<unknown> {
  return (await rig.ask('POST', '/v1/proof/verify', { key: '', body: proof })).json;
}

const verdict = (valid: boolean, sandbox: boolean | null) => ({
  object: 'proof_verification',
  valid,
  sandbox,
});

describe('a proof of sandbox mail', () => {
  it('is marked as such, complete or reduced, and is signed by a key marked in the key set', async () => {
    const proof = await proofOf(rig.keys.test);
    const { bundle, signature } = proof;
    expect(await check(proof)).toEqual(verdict(true, true));
    expect(await check({ bundle, signature })).toEqual(verdict(true, true));
    const { json } = await rig.ask('GET', '/.well-known/proof-keys.json', { key: '' });
    const { keys } = json as unknown as { keys: { key_id: string; sandbox: boolean }[] };
    expect(keys.find(({ key_id }) => key_id === proof.key_id)?.sandbox).toBe(true);
    expect(keys.map(({ sandbox }) => sandbox)).toEqual([false, true]);
    const offline = verifyProofOffline(JSON.stringify({ bundle, signature }), parsePublicKeySet(json));
    expect(offline).toMatchObject({ valid: true, sandbox: true });
    expect(offline.reasons[0]).toContain('SANDBOX');
  });

  it('of an earlier release is recognized by its attestation, by its message, or not at all', async () => {
    const { bundle } = await proofOf(rig.keys.test);
    const old = { sandbox: true, chainHead: Buffer.alloc(32), evidence: [], key: rig.proofKey };
    const { signature, ...proof } = signProof({ ...old, bundle });
    expect(await check({ ...proof, signature })).toEqual(verdict(true, true));
    expect(await check({ bundle, signature })).toEqual(verdict(true, true));
    const gone = signProof({ ...old, bundle: { ...bundle, message_id: 'msg_gone' } });
    expect(await check({ bundle: gone.bundle, signature: gone.signature })).toEqual(verdict(true, null));
  });
});

describe('a proof of live mail', () => {
  it('says so, and a wrong attestation or one of another proof makes it invalid', async () => {
    await rig.addSender({ kind: 'domain', identity: 'bank.example' });
    const proof = await proofOf(rig.keys.live);
    const { bundle, signature } = proof;
    expect(await check(proof)).toEqual(verdict(true, false));
    expect(await check({ bundle, signature })).toEqual(verdict(true, false));
    expect(await check({ bundle, signature, attestation: null })).toEqual(verdict(true, false));
    const other = await proofOf(rig.keys.live, { subject: 'Another' });
    for (const wrong of [
      { attestation: { ...proof.attestation, sandbox: true } },
      { attestation: { ...proof.attestation, evidence: [{ occurred_at: 'x' }] } },
      { attestation_signature: 'x' },
      { attestation: other.attestation, attestation_signature: other.attestation_signature },
      { attestation: undefined },
    ]) {
      expect(await check({ ...proof, ...wrong })).toEqual(verdict(false, null));
    }
  });

  it("has the server's reply in the signed attestation, and an unchanged bundle", async () => {
    const key = rig.keys.live;
    const sent = await rig.ask('POST', '/v1/messages', { key, body: CLAIM });
    const id = sent.json.id;
    const scope = await rig.scopeOf('live');
    const message = await rig.store.messages.message(scope, id);
    const metadata = { remote_host: 'mx.example.com', tls_version: 'TLSv1.3', reply: 'OK queued', code: 250 };
    if (!message) throw new Error('The message is not there.');
    const at = rig.clock.now();
    await rig.commit(
      auditTrailEntry(auditTrailSubject(message, scope), {
        event: 'delivered',
        actor: 'provider',
        at,
        detail: { metadata },
      }),
    );
    const { json } = await rig.ask('GET', `/v1/messages/${id}/proof`, { key });
    const proof = json as unknown as Proof;
    expect(proof.attestation.evidence).toEqual([
      {
        occurred_at: new Date(rig.clock.now()).toISOString(),
        host: 'mx.example.com',
        tls_version: 'TLSv1.3',
        reply: 'OK queued',
      },
    ]);
    expect(Object.keys(proof.bundle.audit.at(-1) ?? {}).sort()).toEqual(['actor', 'event', 'occurred_at']);
    expect(await check(proof)).toEqual(verdict(true, false));
  });
});
