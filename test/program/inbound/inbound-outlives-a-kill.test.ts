// Tests that mail answered with 250 exists after a kill, exactly once, regardless of what the program was doing.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILBOX, question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { postMail } from '../../support/post-mail.js';
import { isFullSize, sized } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';

const MAILS = sized({ small: 60, full: 120 });
const CONNECTIONS = 6;

let rig: MailRig;
/** Mail that arrived earlier. */
const kept: string[] = [];

beforeAll(async () => {
  rig = await startMailRig();
});

afterAll(() => rig.close());

it.runIf(isFullSize)('keeps a mail that was accepted with 250 a moment before', async () => {
  expect(await rig.ask('the first')).toBe(250);
  await rig.appliance.end('SIGKILL');
  await rig.appliance.start();
  expect(await rig.subjects(1)).toEqual(['the first']);
  kept.push('the first');
});

it('keeps mails in progress, and peers send unanswered ones again', async () => {
  const waiting = Array.from({ length: MAILS }, (_, index) => `mail ${String(index).padStart(3, '0')}`);
  const all = [...waiting];
  const unanswered: string[] = [];
  const port = rig.port();

  async function sendOn(): Promise<void> {
    for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift()) {
      const posting = { port, from: 'bob@receiver.example', to: MAILBOX, raw: question(subject) };
      const answer = await postMail(posting).catch(() => null);
      if (answer?.code !== 250) unanswered.push(subject);
    }
  }

  const sending = Promise.all(Array.from({ length: CONNECTIONS }, sendOn));
  await waitFor('some that are through', rig.received, (found) => found.length > 10);
  await rig.appliance.end('SIGKILL');
  await rig.appliance.startHere();
  await sending;
  for (const subject of unanswered) expect(await rig.ask(subject)).toBe(250);
  await rig.subjects(MAILS + kept.length);
  // An extra mail would arrive after the others.
  expect(await rig.ask('the last')).toBe(250);
  const seen = await waitFor('the last one', rig.received, (found) =>
    found.some(({ subject }) => subject === 'the last'),
  );
  expect(seen.map(({ subject }) => subject).sort()).toEqual([...all, ...kept, 'the last']);
});
