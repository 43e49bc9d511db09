// Tests that a new address sends as much as its plan allows. The rest uses another route or waits.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { isFullSize } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

const DAY_MS = 86_400_000;
const OLD = { name: 'old', address4: '127.0.0.2', ehlo: 'old.mta.example' };

let direct: SmtpSink;
let relay: SmtpSink;
let rig: MailRig;

beforeEach(async () => {
  direct = await startSmtpSink({ keep: true });
  relay = await startSmtpSink({ keep: true });
});
afterEach(async () => {
  await rig.close();
  await direct.close();
  await relay.close();
});

/** One message a day, in its second week and in any time zone. */
async function start(overflow: string | null): Promise<void> {
  const startedOn = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const warmUp = { started_on: startedOn, plan: [1, 1, 1, 1] };
  const outbound = {
    sources: [{ name: 'new', address4: '127.0.0.3', ehlo: 'new.mta.example', warm_up: warmUp }, OLD],
    pools: { default: ['new'], warmed: ['old'] },
    smarthosts: [{ name: 'relay', url: `smtp://relay.example:${relay.port}` }],
    ...(overflow === null ? {} : { overflow }),
  };
  rig = await startMailRig({
    process: 'shared',
    mxPort: direct.port,
    env: { MAILKEEL_OUTBOUND: JSON.stringify(outbound) },
  });
  rig.dns.set('relay.example', 'A', ['127.0.0.1']);
  await rig.reached(await rig.send('first'), 'delivered');
  expect(direct.messages.map(({ ehlo }) => ehlo)).toEqual(['new.mta.example']);
}

const WHY = { why: expect.stringContaining('warmed up') as string };

it('excess mail is sent from a warmed address, as the trail explains', async () => {
  await start('pool:warmed');
  const ids = await Promise.all(['anna', 'bert', 'carl'].map((name) => rig.send(name)));
  for (const id of ids) {
    expect(await rig.reached(id, 'delivered')).toMatchObject({ provider: 'mta' });
    const sent = (await rig.trail(id)).find(({ event }) => event === 'sent');
    expect(sent?.metadata).toMatchObject({ via: 'old', ...WHY });
  }
  expect(direct.messages.slice(1).map(({ from }) => from)).toEqual(['127.0.0.2', '127.0.0.2', '127.0.0.2']);
});

it.runIf(isFullSize)('excess mail is sent by the relay', async () => {
  await start('smarthost:relay');
  const id = await rig.send('anna');
  expect(await rig.reached(id, 'sent')).toMatchObject({ provider: 'smarthost' });
  const sent = (await rig.trail(id)).find(({ event }) => event === 'sent');
  expect(sent?.metadata).toMatchObject({ via: 'relay', ...WHY });
  expect(relay.count()).toBe(1);
});

it('excess mail waits with an explanation, and a restart keeps the count of sent mail', async () => {
  await start(null);
  const id = await rig.send('anna');
  const insight = insightInto(rig.appliance);
  await insight.explained(id, 'warm_up');
  expect(await insight.destination('receiver.example')).toMatchObject({
    depth: 1,
    reason: { code: 'warm_up' },
  });
  await rig.appliance.end();
  await rig.appliance.start();
  const other = await rig.send('bert');
  await insight.explained(other, 'warm_up');
  expect(events(await rig.trail(id))).toEqual(['queued']);
  expect(direct.count()).toBe(1);
});
