// Tests that a full mailbox is not suppressed until five messages within 14 days have found it full.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { events, startMailRigWithSink, type Delivered, type SinkRig } from '../../support/mail-rig.js';
import { postMail } from '../../support/post-mail.js';
import { deliveryReport } from '../../support/returned-mail.js';

let rig: SinkRig;

beforeEach(async () => {
  rig = await startMailRigWithSink({ process: 'shared' });
});

afterEach(() => rig.close());

const full = ({ mail }: Delivered, to: string): string =>
  deliveryReport(mail.mailFrom, {
    recipient: `${to}@receiver.example`,
    action: 'failed',
    status: '5.2.2',
    diagnostic: '552 5.2.2 Mailbox full',
  });

it('the fifth report suppresses, through any channel', async () => {
  const sent: Delivered[] = [];
  for (let count = 0; count < 5; count++) sent.push(await rig.deliver('full'));
  for (const [index, one] of sent.entries()) {
    expect(await rig.suppression('full@receiver.example')).toMatchObject({ suppressed: false });
    expect(await rig.comesBack(full(one, 'full'), one.mail.mailFrom)).toMatchObject({ outcome: 'bounced' });
    const trail = await rig.trail(one.id);
    const isLast = index === 4;
    expect(events(trail).slice(4)).toEqual(isLast ? ['bounced', 'suppressed'] : ['bounced']);
    expect(await rig.message(one.id)).toMatchObject({ error: { type: 'soft', category: 'quota' } });
  }
  expect(await rig.suppression('full@receiver.example')).toMatchObject({ reason: 'bounce' });
  const next = await rig.send('full');
  await rig.reached(next, 'suppressed');
});

it('five simultaneous reports suppress too', async () => {
  const sent: Delivered[] = [];
  for (let count = 0; count < 5; count++) sent.push(await rig.deliver('burst'));
  await Promise.all(
    sent.map((one) =>
      postMail({ port: rig.port(), from: '', to: one.mail.mailFrom, raw: full(one, 'burst') }),
    ),
  );
  for (const { mail } of sent) expect(await rig.settled(mail.mailFrom)).toMatchObject({ outcome: 'bounced' });
  expect(await rig.suppression('burst@receiver.example')).toMatchObject({ reason: 'bounce' });
});
