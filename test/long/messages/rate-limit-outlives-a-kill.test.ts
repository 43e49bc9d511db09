// Tests that a message rate of the shaping survives a kill: after the restart, the receiver's rate does not start again from
// zero.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

let sink: SmtpSink;
let rig: MailRig;
beforeEach(async () => {
  sink = await startSmtpSink({ keep: true });
});
afterEach(async () => {
  await rig.close();
  await sink.close();
});

/** The number of stored limiter rows. */
async function written(): Promise<number> {
  return (await rig.appliance.query(`SELECT key FROM traffic_state WHERE key LIKE 'rate %'`)).length;
}

it('three of five are sent, and not more after a kill', async () => {
  const shaping = { sites: { 'mx.receiver.example': { message_rate: '3/h burst 3' } } };
  rig = await startMailRig({ mxPort: sink.port, env: { MAILKEEL_SHAPING: JSON.stringify(shaping) } });
  const ids: string[] = [];
  for (const name of ['anna', 'bert', 'carl', 'dora', 'emil']) ids.push(await rig.send(name));
  for (const id of ids.slice(0, 3)) await rig.reached(id, 'delivered');
  const waiting = ids[3] ?? '';
  const insight = insightInto(rig.appliance);
  await insight.explained(waiting, 'rate_limited');
  expect(await insight.destination('receiver.example')).toMatchObject({
    depth: 2,
    state: 'limited',
    reason: { code: 'rate_limited', until: expect.any(String) as string },
  });
  await waitFor('the limiter to be written', written, (count) => count > 0);

  await rig.appliance.end('SIGKILL');
  await rig.appliance.startHere();
  const late = await rig.send('fred');
  await insight.explained(late, 'rate_limited');
  await insight.explained(waiting, 'rate_limited');
  expect(events(await rig.trail(waiting))).toEqual(['queued']);
  expect(sink.messages.map(({ rcptTo }) => rcptTo[0]?.split('@')[0])).toEqual(['anna', 'bert', 'carl']);
});
