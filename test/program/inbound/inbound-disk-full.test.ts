// Without room on the disk mail is asked to come later (452), by strangers and by our own senders; nothing is lost.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  MAILBOX,
  question,
  startInboundMailboxRig,
  type InboundMailboxRig,
} from '../../support/inbound-mailbox-rig.js';
import { postMail } from '../../support/post-mail.js';

/** More than any disk has. */
const NEVER_FREE = { POSTHORN_MIN_FREE_DISK: '8000000GiB' };

let rig: InboundMailboxRig;

beforeAll(async () => {
  rig = await startInboundMailboxRig({ process: 'shared', env: NEVER_FREE });
});

afterAll(() => rig.close());

it('is said at MAIL, and the mail is taken when there is room again', async () => {
  const client = await rig.client();
  expect(await client.say('MAIL FROM:<bob@receiver.example>')).toMatch(/^452 4\.3\.1 /);
  client.hangUp();
  expect(await rig.ask('a question')).toBe(452);

  const relayed = await postMail({
    port: rig.appliance.mailPort('Relay'),
    from: 'orders@shop.example',
    to: 'ann@receiver.example',
    raw: 'From: orders@shop.example\r\nTo: ann@receiver.example\r\nSubject: x\r\n\r\nx\r\n',
    key: rig.appliance.keys.live_key,
  });
  expect(relayed).toMatchObject({ code: 452, text: expect.stringContaining('4.3.1') as string });

  await rig.appliance.end();
  await rig.appliance.start({ POSTHORN_MIN_FREE_DISK: '1MiB' });
  expect(await rig.ask('a question', question('a question'))).toBe(250);
  expect(await rig.subjects(1)).toEqual(['a question']);
  expect(await rig.received()).toMatchObject([{ to: MAILBOX }]);
});
