// Tests that behind a smarthost, where only its reports show the outcome of a message, reports are requested and trusted.
import { afterEach, expect, it } from 'vitest';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { deliveryReport } from '../../support/returned-mail.js';

let rig: SinkRig;

afterEach(() => rig.close());

/** The parameters of MAIL and RCPT, in order. */
const said: string[] = [];

async function startBehind(dsn: boolean): Promise<void> {
  said.length = 0;
  rig = await startMailRigWithSink({
    process: 'shared',
    sink: {
      dsn,
      onLine: (line) => {
        if (/^(?:MAIL|RCPT)/.test(line)) said.push(line);
      },
    },
    envOf: ({ port }) => ({ MAILKEEL_SMARTHOST: `smtp://127.0.0.1:${port}` }),
  });
}

const report = (to: string, name: string, action: string, status: string, diagnostic?: string): string =>
  deliveryReport(to, {
    recipient: `${name}@receiver.example`,
    action,
    status,
    ...(diagnostic === undefined ? {} : { diagnostic }),
  });

it('its 250 makes a message sent, and each requested report adds to that', async () => {
  await startBehind(true);
  const arrived = await rig.deliver('ann', {}, 'sent');
  expect(await rig.message(arrived.id)).toMatchObject({ provider: 'smarthost' });
  expect(said[0]).toMatch(/ RET=HDRS\b/);
  expect(said[0]).toContain(` ENVID=${arrived.id}`);
  expect(said[1]).toMatch(/ NOTIFY=SUCCESS,FAILURE,DELAY\b/);
  expect(said[1]).toContain(' ORCPT=rfc822;ann@receiver.example');

  const path = arrived.mail.mailFrom;
  expect(await rig.comesBack(report(path, 'ann', 'delayed', '4.4.1'), path)).toMatchObject({
    outcome: 'delayed',
  });
  expect(await rig.message(arrived.id)).toMatchObject({ status: 'sent' });
  const success = report(path, 'ann', 'delivered', '2.0.0', '250 2.0.0 in the mailbox');
  expect(await rig.comesBack(success, path)).toMatchObject({ outcome: 'delivered' });
  expect(await rig.comesBack(success, path)).toMatchObject({ outcome: 'duplicate' });
  expect(await rig.message(arrived.id)).toMatchObject({ status: 'delivered' });
  const trail = await rig.trail(arrived.id);
  expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'deferred', 'delivered']);
  expect(trail.at(-1)).toMatchObject({
    actor: 'provider',
    metadata: { by_mail: true, reporting_mta: 'mx.receiver.example', code: 250 },
  });

  const gone = await rig.deliver('bea', {}, 'sent');
  const failure = report(gone.mail.mailFrom, 'bea', 'failed', '5.1.1', '550 5.1.1 No such user');
  expect(await rig.comesBack(failure, gone.mail.mailFrom)).toMatchObject({ outcome: 'bounced' });
  expect(await rig.message(gone.id)).toMatchObject({
    status: 'bounced',
    error: { type: 'hard', category: 'invalid_recipient' },
  });
  expect(await rig.suppression('bea@receiver.example')).toMatchObject({ reason: 'bounce' });

  // Handed over to a system that sends no reports, so nothing more becomes known.
  const handedOver = await rig.deliver('carl', {}, 'sent');
  const relayed = report(handedOver.mail.mailFrom, 'carl', 'relayed', '2.0.0');
  expect(await rig.comesBack(relayed, handedOver.mail.mailFrom)).toMatchObject({ outcome: 'relayed' });
  expect(await rig.message(handedOver.id)).toMatchObject({ status: 'sent' });

  // A late success after a failure is recorded, but the final status does not change.
  const late = report(gone.mail.mailFrom, 'bea', 'delivered', '2.0.0');
  expect(await rig.comesBack(late, gone.mail.mailFrom)).toMatchObject({ outcome: 'delivered' });
  expect(await rig.message(gone.id)).toMatchObject({ status: 'bounced' });
  expect(events(await rig.trail(gone.id)).at(-1)).toBe('delivered');
});

it('a smarthost without DSN is asked for none, and its mailed bounces are understood', async () => {
  await startBehind(false);
  const { id, mail } = await rig.deliver('ann', {}, 'sent');
  expect(said.join('\n')).not.toMatch(/NOTIFY|RET=|ENVID|ORCPT/);
  const failure = report(mail.mailFrom, 'ann', 'failed', '5.1.1', '550 5.1.1 No such user');
  expect(await rig.comesBack(failure, mail.mailFrom)).toMatchObject({ outcome: 'bounced' });
  expect(await rig.message(id)).toMatchObject({ status: 'bounced' });
});
