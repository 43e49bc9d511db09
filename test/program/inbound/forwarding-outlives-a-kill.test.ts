// Tests that mail to an inbox is forwarded once, although the program is killed while it records and delivers it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ForwardingRig, startForwardingRig } from '../../support/forwarding-rig.js';
import { sized } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';

const MAILS = sized({ small: 20, full: 100 });
const ADDRESS = 'ann@receiver.example';

let rig: ForwardingRig;
let inbox: { id: string; address: string };
beforeAll(async () => {
  rig = await startForwardingRig({ env: { MAILKEEL_PUBLIC_URL: 'http://127.0.0.1' } });
  inbox = await rig.newInbox('help');
  await rig.addForward(inbox.id, ADDRESS);
});
afterAll(() => rig.close());

it('makes one message for each mail and address', async () => {
  const subjects = Array.from({ length: MAILS }, (_, at) => `mail ${String(at).padStart(3, '0')}`);
  for (const subject of subjects) await rig.write(inbox.address, subject);
  await rig.appliance.end('SIGKILL');
  await rig.appliance.startHere();
  for (const subject of subjects) await rig.waitForMail(ADDRESS, subject);
  const forwarded = await waitFor(
    'all forwarded messages',
    () =>
      rig.appliance.query('SELECT subject, status FROM messages WHERE forward IS NOT NULL ORDER BY subject'),
    (rows) => rows.every(({ status }) => status === 'delivered' || status === 'sent'),
  );
  expect(forwarded.map(({ subject }) => subject)).toEqual(subjects);
});
