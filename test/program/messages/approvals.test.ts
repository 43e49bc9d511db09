// Tests that messages waiting for approval are not sent after a restart, a retry or a resumed destination, and are sent once
// after approval, even if the server is killed in between. The proof names the approver.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parsePublicKeySet } from '../../../src/lib/tokens/index.js';
import { verifyProofOffline } from '../../../src/messages/proof/proof-offline.rules.js';
import { adminJson } from '../../support/appliance.js';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { signInPerson } from '../../support/sign-in-person.js';

const EMAIL = 'olga@shop.example';

let rig: SinkRig;
let key: string;
let password: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'approvals-'));
  rig = await startMailRigWithSink({
    env: { MAILKEEL_BACKUP_TO: folder, MAILKEEL_BACKUP_PASSPHRASE: 'correct horse battery' },
  });
  const { appliance } = rig;
  const { value } = await adminJson(appliance.env, 'people', 'make-owner', '--email', EMAIL);
  password = (value as { password: string }).password;
  const made = await appliance.api('POST', '/v1/api-keys', {
    body: { name: 'Agent', permission: 'send', policy: { approval: 'always' } },
  });
  key = (made.json as { secret: string }).secret;
});
afterAll(async () => {
  await rig.close();
  await rm(folder, { recursive: true, force: true });
});

const signIn = () => signInPerson(rig.appliance.url, { email: EMAIL, password });

const destination = (action: 'pause' | 'resume' | 'retry') =>
  rig.appliance.api('POST', `/v1/queue/destinations/receiver.example/${action}`, {
    body: action === 'pause' ? { reason: 'Maintenance' } : {},
  });

async function hold(to: string): Promise<{ id: string; approval: { id: string; content_hash: string } }> {
  const sent = await rig.appliance.api('POST', '/v1/messages', { key, body: rig.draft(to) });
  const { id } = sent.json as { id: string };
  const { json } = await rig.appliance.api('GET', '/v1/approvals?status=pending');
  const { data } = json as { data: { id: string; content_hash: string; message_id: string }[] };
  const approval = data.find(({ message_id }) => message_id === id);
  if (approval === undefined) throw new Error(sent.text);
  return { id, approval };
}

it('leaves only when it was approved, and its proof names the approver', async () => {
  const { appliance, sink } = rig;
  const { id, approval } = await hold('ann');
  for (const action of ['pause', 'resume', 'retry'] as const) await destination(action);
  await appliance.end();
  await appliance.start();
  // Later mail was sent, so the waiting message would have been sent as well.
  await rig.deliver('bob');
  expect(rig.mailTo('ann')).toBeUndefined();
  expect((await rig.message(id))['status']).toBe('queued');
  const ask = await signIn();
  const approved = await ask('POST', `/v1/approvals/${approval.id}/approve`, {
    content_hash: approval.content_hash,
  });
  expect(approved.status).toBe(200);
  await rig.reached(id, 'delivered');
  expect(sink.messages.filter(({ rcptTo }) => rcptTo[0]?.startsWith('ann@'))).toHaveLength(1);
  expect(events(await rig.trail(id)).slice(0, 3)).toEqual(['queued', 'approval_requested', 'approved']);
  const proof = (await appliance.api('GET', `/v1/messages/${id}/proof`)).text;
  const keys = (await appliance.api('GET', '/.well-known/proof-keys.json', { key: '' })).json;
  const verdict = verifyProofOffline(proof, parsePublicKeySet(keys));
  expect(verdict).toMatchObject({
    valid: true,
    attestation: { approval: { approver_email: EMAIL, content_hash: approval.content_hash } },
  });
  expect(verdict.reasons.at(-1)).toContain(`Approved by ${EMAIL}`);
});

it('is sent once if the server is killed between the approval and the delivery', async () => {
  const { appliance, sink } = rig;
  await destination('pause');
  const held = await Promise.all(Array.from({ length: 5 }, (_, n) => hold(`kill${n}`)));
  const ask = await signIn();
  const answers = await Promise.all(
    held.map(({ approval: { id, content_hash } }) =>
      ask('POST', `/v1/approvals/${id}/approve`, { content_hash }),
    ),
  );
  await appliance.end('SIGKILL');
  expect(answers.map(({ status }) => status)).toEqual(held.map(() => 200));
  await appliance.startHere();
  await destination('resume');
  for (const { id } of held) await rig.reached(id, 'delivered', 60_000);
  for (const [n] of held.entries()) {
    const ids = sink.messages.filter(({ rcptTo }) => rcptTo[0]?.startsWith(`kill${n}@`));
    expect(ids).toHaveLength(1);
  }
});

// A server is backed up by its own tools.
it.skipIf(IS_ON_POSTGRES)('still waits when the mail of a restored backup is released', async () => {
  const { appliance } = rig;
  const { id, approval } = await hold('restored');
  await destination('pause');
  const queued = await rig.send('waits');
  expect((await adminJson(appliance.env, 'backup')).code).toBe(0);
  await appliance.end();
  expect((await adminJson(appliance.env, 'restore', 'latest', '--force')).code).toBe(0);
  await appliance.startHere();
  expect((await adminJson(appliance.env, 'restore', '--release', '--all')).code).toBe(0);
  await destination('resume');
  await rig.reached(queued, 'delivered', 60_000);
  expect(rig.mailTo('restored')).toBeUndefined();
  const ask = await signIn();
  const { content_hash } = approval;
  // It may have been approved after the backup.
  const { json } = await ask('GET', `/v1/approvals/${approval.id}`);
  expect(json).toMatchObject({ restored_at: expect.any(String) as string });
  expect((await ask('POST', `/v1/approvals/${approval.id}/approve`, { content_hash })).status).toBe(200);
  await rig.reached(id, 'delivered', 60_000);
});
