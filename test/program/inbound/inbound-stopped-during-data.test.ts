// Sends SIGTERM while mail arrives: a message in progress is accepted and answered, all other clients get 421, and a client that
// never finishes does not delay the end.
import { beforeEach, afterEach, expect, it } from 'vitest';
import { MAILBOX, question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import type { RawClient } from '../../support/raw-client.js';
import { isFullSize } from '../../support/run-size.js';

let rig: MailRig;

beforeEach(async () => {
  rig = await startMailRig({ env: { MAILKEEL_SHUTDOWN_GRACE: '8s' } });
});

afterEach(() => rig.close());

async function inData(): Promise<RawClient> {
  const client = await rig.client();
  await client.say('MAIL FROM:<bob@receiver.example>', `RCPT TO:<${MAILBOX}>`, 'DATA');
  client.write(question('under way'));
  return client;
}

it('stores the message in progress', async () => {
  const idle = await rig.client();
  const sending = await inData();
  const ended = rig.appliance.end('SIGTERM');
  expect(await idle.reply()).toMatch(/^421 4\.3\.2 /);
  sending.write('the rest\r\n.\r\n');
  expect(await sending.reply()).toMatch(/^250 /);
  expect(await sending.reply()).toMatch(/^421 4\.3\.2 /);
  sending.write('NOOP\r\n');
  expect(await sending.rest()).toEqual([]);
  expect((await ended).code).toBe(0);
  await rig.appliance.startHere();
  expect(await rig.subjects(1)).toEqual(['under way']);
});

it.runIf(isFullSize)(
  'a client that remains in its message is disconnected, and the shutdown is orderly',
  async () => {
    const stalled = await inData();
    const ended = await rig.appliance.end('SIGTERM');
    expect(ended.code).toBe(0);
    expect(await stalled.rest()).toEqual([]);
    await rig.appliance.startHere();
    expect(await rig.ask('after that')).toBe(250);
    expect(await rig.subjects(1)).toEqual(['after that']);
  },
);
