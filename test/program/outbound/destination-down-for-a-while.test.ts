// Tests a peer that is temporarily unreachable: the mail waits and arrives in one copy each.
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

let sink: SmtpSink | null = null;
let rig: MailRig;

afterEach(async () => {
  await rig.close();
  await sink?.close();
});

it('mail for an unreachable host arrives when it is up again', async () => {
  const port = await freePort();
  rig = await startMailRig({ process: 'shared', mxPort: port });
  const ids = await Promise.all(['anna', 'bert', 'carl'].map((name) => rig.send(name)));
  for (const id of ids) {
    const trail = await rig.logged(id, 'deferred', 2);
    expect(trail.find(({ event }) => event === 'deferred')?.metadata).toMatchObject({
      category: 'network',
      code: null,
      remote_host: 'mx.receiver.example',
      reply: expect.stringContaining('ECONNREFUSED') as string,
    });
  }
  sink = await startSmtpSink({ keep: true, port });
  for (const id of ids) {
    await rig.reached(id, 'delivered');
    const trail = events(await rig.trail(id));
    expect(trail.slice(0, 4)).toEqual(['queued', 'sending', 'sent', 'deferred']);
    expect(trail.at(-1)).toBe('delivered');
  }
  expect(sink.messages.map(({ rcptTo }) => rcptTo[0]).sort()).toEqual([
    'anna@receiver.example',
    'bert@receiver.example',
    'carl@receiver.example',
  ]);
});

it('mail for a host that stays unreachable bounces when it expires', async () => {
  rig = await startMailRig({
    process: 'shared',
    mxPort: await freePort(),
    env: { MAILKEEL_QUEUE_LIFETIME: '1s' },
  });
  const id = await rig.send('anna');
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({ type: 'soft', category: 'expired' });
});
