// Tests that a mail which a peer sends again because it missed the 250 becomes one message. A different mail with the same
// Message-ID becomes another message.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig({ process: 'shared' });
});

afterAll(() => rig.close());

it('stores it once, with a Message-ID and without one', async () => {
  const mails = {
    'with an id': question('with an id'),
    'without one': question('without one').replace(/^Message-ID: .*\r\n/m, ''),
    'the same id': question('the same id').replace(
      /^Message-ID: .*/m,
      'Message-ID: <with-an-id@receiver.example>',
    ),
    'without one again': question('without one again').replace(/^Message-ID: .*\r\n/m, ''),
  };
  for (const [subject, raw] of Object.entries(mails)) {
    expect(await rig.ask(subject, raw)).toBe(250);
    expect(await rig.ask(subject, raw)).toBe(250);
  }
  // Mail is processed in the order in which it was sent.
  expect(await rig.ask('the end')).toBe(250);
  expect(await rig.subjects(5)).toEqual([
    'the end',
    'the same id',
    'with an id',
    'without one',
    'without one again',
  ]);
});
