// Messages that wait for approval do not leave by a restart, a retry or a resumed destination, and leave once after they were approved,
// also if the server is killed in between. The proof names the approver.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parsePublicKeySet } from '../../../src/lib/tokens/index.js';
import { verifyProofOffline } from '../../../src/messages/proof/proof-offline.rules.js';
import { adminJson } from '../../support/appliance.js';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';

const EMAIL = 'olga@shop.example';

let rig: SinkRig;
let key: string;
let password: string;
beforeAll(async () => {
  rig = await startMailRigWithSink();
  const { appliance } = rig;
  const { value } = await adminJson(appliance.env, 'people', 'make-owner', '--email', EMAIL);
  password = (value as { password: string }).password;
  const made = await appliance.api('POST', '/v1/api-keys', {
    body: { name: 'Agent', permission: 'send', policy: { approval: 'always' } },
  });
  key = (made.json as { secret: string }).secret;
});
afterAll(() => rig.close());

/** A signed-in browser. */
async function signIn() {
  const { url } = rig.appliance;
  const answer = await fetch(`${url}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password }),
  });
  const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string };
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
}

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
  // Later mail has left, so the one that waits would have, too.
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
