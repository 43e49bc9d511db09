// Sends SIGTERM while a peer has a message and has not replied yet: the session may finish, so that no message is left in doubt.
import { afterEach, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { isFullSize } from '../../support/run-size.js';
import { startScriptedPeer, type ScriptedPeer } from '../../support/scripted-peer.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const SLOW_TO_ANSWER = `
  > 220 peer ESMTP
  < EHLO
  > 250 peer
  < MAIL FROM
  > 250 ok
  < RCPT TO
  > 250 ok
  < DATA
  > 354 go ahead
  body
  wait 1500
  > 250 2.0.0 queued
  < QUIT
  > 221 bye
  close`;
const HANGS_BEFORE_DATA = `
  > 220 peer ESMTP
  < EHLO
  > 250 peer
  < MAIL FROM
  stall`;

let peer: ScriptedPeer;
let rig: MailRig;
let sink: SmtpSink | null = null;

afterEach(async () => {
  await rig.close();
  await peer.close();
  await sink?.close();
  sink = null;
});

it('a session past DATA ends with its reply, and the exit code is 0', async () => {
  peer = await startScriptedPeer(SLOW_TO_ANSWER);
  rig = await startMailRig({ mxPort: peer.port });
  const id = await rig.send('anna');
  await waitFor(
    'the peer has the whole message',
    () => peer.connections[0]?.received.includes('\r\n.\r\n') ?? false,
  );
  const { code } = await rig.appliance.end('SIGTERM');
  expect(code).toBe(0);
  await rig.appliance.startHere();
  expect(await rig.message(id)).toMatchObject({ status: 'delivered' });
  const trail = await rig.trail(id);
  expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'delivered']);
  expect(peer.connections).toHaveLength(1);
});

it.runIf(isFullSize)(
  'a session that hangs before DATA is ended after the grace period, and its message is sent after the restart',
  async () => {
    peer = await startScriptedPeer(HANGS_BEFORE_DATA);
    rig = await startMailRig({ mxPort: peer.port, env: { MAILKEEL_SHUTDOWN_GRACE: '1s' } });
    const id = await rig.send('anna');
    await waitFor(
      'the peer has heard MAIL',
      () => peer.connections[0]?.received.includes('MAIL FROM') ?? false,
    );
    const stoppedAt = Date.now();
    await rig.appliance.end('SIGTERM');
    expect(Date.now() - stoppedAt).toBeLessThan(5_000);
    sink = await startSmtpSink({ keep: true });
    await rig.appliance.startHere({ MAILKEEL_MX_PORT: String(sink.port) });
    await rig.reached(id, 'delivered');
    expect((await rig.trail(id)).some(({ metadata }) => metadata['ambiguous'] === true)).toBe(false);
  },
);
