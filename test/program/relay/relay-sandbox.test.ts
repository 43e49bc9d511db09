// Tests a test key at the relay: the mailbox simulator decides, nothing is sent, and everything can be read.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { lines } from '../../support/raw-mail.js';
import { waitFor } from '../../support/wait.js';

let relay: SinkRig;
let key: string;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
  key = relay.appliance.keys.test_key;
});
afterAll(() => relay.close());

it('uses the outcomes of the simulator for any sender, and sends nothing', async () => {
  const to = ['delivered@anywhere.example', 'bounced@anywhere.example', 'suppressed@anywhere.example'];
  const raw = lines(
    'From: Me <me@not-mine.example>',
    'To: delivered@anywhere.example',
    'Subject: Try',
    '',
    'Hi',
  );
  const { reply, ids } = await relay.submit({ to, raw, key, from: 'me@not-mine.example' });
  expect(reply).toMatch(/^250 /);
  const read = async (id: string) =>
    (await relay.appliance.api('GET', `/v1/messages/${id}`, { key })).json as Record<string, unknown>;
  for (const [i, status] of ['delivered', 'bounced', 'suppressed'].entries()) {
    const id = ids[i] ?? '';
    const message = await waitFor(
      `${id} to be ${status}`,
      () => read(id),
      (found) => found['status'] === status,
    );
    expect(message).toMatchObject({ sandbox: true, to: to[i] });
  }
  const { json } = await relay.appliance.api('GET', `/v1/messages/${ids[0] ?? ''}/audit`, { key });
  expect(events(json.trail)).toEqual(['queued', 'sending', 'sent', 'delivered']);
  const content = await relay.appliance.api('GET', `/v1/messages/${ids[0] ?? ''}/content`, { key });
  expect(content.json).toMatchObject({ subject: 'Try', text: expect.stringContaining('Hi') as string });
  // The live key cannot see it, and no peer was contacted.
  expect((await relay.appliance.api('GET', `/v1/messages/${ids[0] ?? ''}`)).status).toBe(404);
  expect(relay.sink.connections()).toBe(0);
});
