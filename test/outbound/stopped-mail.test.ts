// Tests that copies of campaigns and sequences that may no longer be sent are detected right before delivery, by the workers and
// by the simulator.
import { afterEach, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import type { CampaignStatus } from '../../src/contract/names.js';
import { readDetail } from '../../src/events/events.store.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startOutboundRig, type OutboundRig } from '../support/outbound-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';
import { CAMPAIGN, LIST, SEQUENCE } from '../support/audience-rows.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { insert, update } from '../../src/database/rows.js';
import { campaigns } from '../../src/campaigns/campaigns.tables.js';
import { sequences } from '../../src/sequences/sequences.tables.js';
import { messages } from '../../src/messages/messages.tables.js';
import { leaveList } from '../../src/contacts/contact-changes.store.js';

let open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open) await one.close();
  open = [];
});

async function start(): Promise<{ rig: OutboundRig; sink: SmtpSink }> {
  const dns: TestDnsServer = await startDnsServer({
    zones: {
      'there.test': { MX: [{ preference: 10, exchange: 'mx.there.test' }] },
      'mx.there.test': { A: ['127.0.0.1'] },
    },
  });
  const sink = await startSmtpSink({ keep: true });
  const rig = await startOutboundRig({
    MAILKEEL_DNS_SERVERS: dns.address,
    MAILKEEL_MX_PORT: String(sink.port),
  });
  open = [rig, sink, dns];
  await rig.addSenderDomain('sender.test');
  return { rig, sink };
}

async function addCampaign(rig: OutboundRig, mode: 'live' | 'test', status: CampaignStatus) {
  const { environmentId } = rig.environments[mode];
  const listId = newId('lst', 1);
  const times = { created_at: 1, updated_at: 1, deleted_at: null };
  await rig.store.commit([
    insert(contactLists, {
      row: {
        ...LIST,
        id: listId,
        environment_id: environmentId,
        name: 'News',
        ...times,
      },
    }),
  ]);
  const listNumber = (await rig.store.lists.listOf(listId))?.number ?? 0;
  const id = newId('cmp', 1);
  const row = { ...CAMPAIGN, id, status, environment_id: environmentId, list_number: listNumber };
  await rig.store.commit([insert(campaigns, { row })]);
  return { id, listNumber, listId };
}

/** Creates a sequence that joining the list starts. */
async function addSequence(rig: OutboundRig, mode: 'live' | 'test', listId: string): Promise<string> {
  const { environmentId } = rig.environments[mode];
  const id = newId('seq', 1);
  const row = { ...SEQUENCE, id, environment_id: environmentId, trigger_value: listId };
  await rig.store.commit([insert(sequences, { row })]);
  return id;
}

it.each(['live', 'test'] as const)('stops mail in %s', async (mode) => {
  const { rig, sink } = await start();
  const paused = await addCampaign(rig, mode, 'paused');
  const running = await addCampaign(rig, mode, 'sending');
  async function send(to: string, campaignId: string | null): Promise<number> {
    const id = await rig.send({ to, mode, type: 'marketing' });
    const set = { campaign_id: campaignId };
    await rig.store.commit([update(messages, { set, where: { id } })]);
    return id;
  }
  const held = await send('held@there.test', paused.id);
  const gone = await send('gone@there.test', running.id);
  const going = await send('going@there.test', running.id);
  const other = await send('gone@there.test', null);
  const step = await send('gone@there.test', null);
  const sequence = await addSequence(rig, mode, running.listId);
  const set = { sequence_id: sequence };
  await rig.store.commit([update(messages, { set, where: { id: step } })]);
  await rig.store.commit([
    leaveList({
      listNumber: running.listNumber,
      emailKey: 'gone@there.test',
      contactId: null,
      unsubscribed: true,
      at: 2,
    }),
  ]);
  await rig.outbound.start();
  await waitFor('those that may go have gone', async () => {
    const statuses = await Promise.all([going, other].map((id) => rig.status(id)));
    return statuses.every((status) => status === 'delivered');
  });
  await waitFor('who left is left alone', async () => {
    const statuses = await Promise.all([gone, step].map((id) => rig.status(id)));
    return statuses.every((status) => status === 'suppressed');
  });
  expect(await rig.status(held)).toBe('queued');
  expect(await rig.trail(gone)).toEqual(['queued', 'suppressed']);
  if (mode === 'test') return;
  await rig.store.commit([update(campaigns, { set: { status: 'sending' }, where: { id: paused.id } })]);
  await waitFor('the held one goes too', async () => (await rig.status(held)) === 'delivered');
  expect(sink.messages).toHaveLength(3);
});

it.each(['live', 'test'] as const)(
  'stops mail to a recipient who left a topic after acceptance, in %s',
  async (mode) => {
    const { rig } = await start();
    const { listId, listNumber } = await addCampaign(rig, mode, 'sending');
    async function send(to: string): Promise<number> {
      const id = await rig.send({ to, mode });
      const set = { topic_id: listId };
      await rig.store.commit([update(messages, { set, where: { id } })]);
      return id;
    }
    const gone = await send('gone@there.test');
    const going = await send('going@there.test');
    const leaving = { listNumber, emailKey: 'gone@there.test', contactId: null, unsubscribed: true, at: 2 };
    await rig.store.commit([leaveList({ ...leaving })]);
    await rig.outbound.start();
    await waitFor('each has come to its end', async () => {
      const statuses = await Promise.all([gone, going].map((id) => rig.status(id)));
      return statuses[0] === 'suppressed' && statuses[1] === 'delivered';
    });
    const trail = await rig.store.events.auditTrailOfMessage(gone);
    expect(readDetail(trail.at(-1) ?? { detail: null })).toMatchObject({
      metadata: { reason: 'left_list', list_id: listId, list: 'News' },
    });
  },
);
