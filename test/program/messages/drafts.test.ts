// Tests that drafts are sent once, even if the server is killed while sending them and the requests are repeated.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILBOX, question } from '../../support/incoming-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { postMail } from '../../support/post-mail.js';
import { waitFor } from '../../support/wait.js';

const DRAFTS = 40;

let rig: SinkRig;
let threadId: string;
beforeAll(async () => {
  rig = await startMailRigWithSink();
  const port = rig.appliance.mailPort('Inbound');
  await postMail({ port, from: 'bob@receiver.example', to: MAILBOX, raw: question('Shipping') });
  threadId = await waitFor('the thread', async () => {
    const { json } = await rig.appliance.api('GET', '/v1/threads');
    return (json as { data: { id: string }[] }).data[0]?.id ?? '';
  });
});
afterAll(() => rig.close());

async function create(subject: string): Promise<string> {
  const body = { subject, text: 'Yes, we ship.', from: 'orders@shop.example' };
  const { json, text } = await rig.appliance.api('POST', `/v1/threads/${threadId}/drafts`, { body });
  expect(text).toContain('"drf_');
  return (json as { id: string }).id;
}

const send = (id: string) => rig.appliance.api('POST', `/v1/drafts/${id}/send`, { body: { version: 1 } });

it('leave once although the server is killed between acceptance and answer', async () => {
  const { appliance, sink } = rig;
  const ids = await Promise.all(Array.from({ length: DRAFTS }, (_, n) => create(`Reply ${n}`)));
  let answered = 0;
  const first = ids.map((id) =>
    send(id).then(
      ({ json }) => {
        answered += 1;
        return (json as { id: string }).id;
      },
      () => null,
    ),
  );
  await waitFor('an answer', () => Promise.resolve(answered > 0));
  await appliance.end('SIGKILL');
  const before = await Promise.all(first);
  await appliance.startHere();
  const again = await Promise.all(ids.flatMap((id) => [send(id), send(id)]));
  expect(again.map(({ status, text }) => [status, text])).toEqual(again.map(({ text }) => [202, text]));
  const sent = again.map(({ json }) => (json as { id: string }).id);
  for (const [n, id] of before.entries()) {
    expect(sent[2 * n]).toBe(sent[2 * n + 1]);
    if (id !== null) expect(sent[2 * n]).toBe(id);
  }
  for (const id of new Set(sent)) await rig.reached(id, 'delivered', 60_000);
  for (const n of ids.keys()) {
    const arrived = sink.messages.filter(({ raw }) => raw.toString().includes(`Subject: Reply ${n}\r\n`));
    expect(arrived).toHaveLength(1);
  }
});

it('are in the audit log once for each message', async () => {
  const { json } = await rig.appliance.api('GET', '/v1/audit-log?action=drafts.send&limit=100');
  expect((json as { data: unknown[] }).data).toHaveLength(DRAFTS);
});
