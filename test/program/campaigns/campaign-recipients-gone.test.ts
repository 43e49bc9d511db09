// Tests recipients who are deleted, removed from the list, or no longer match the segment while a campaign is paused: they
// receive nothing, and trail, recipient and explanation give the reason. The others get their copy once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  namesOf,
  ONE_BY_ONE,
  startCampaignProgram,
  type CampaignProgram,
} from '../../support/campaign-program.js';
import { ENDING, isFullSize } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';

const PEOPLE = 12;

let program: CampaignProgram;
beforeAll(async () => {
  program = await startCampaignProgram({
    ...{ process: ENDING.process, env: ONE_BY_ONE },
    sink: { thinksMs: 150 },
  });
});
afterAll(() => program.close());

async function contactId(name: string): Promise<string> {
  const [row] = await program.appliance.query(
    'SELECT id FROM contacts WHERE email_key = ?',
    program.addressOf(name),
  );
  return String(row?.['id']);
}

/** Pauses with most copies in the queue, and those already delivered remain delivered. */
async function pausedCampaign(listId: string, more: object = {}): Promise<{ id: string; before: number }> {
  const before = program.mails().length;
  const id = await program.addCampaign(listId, { ...more });
  await program.act(id, 'send');
  await program.arrived(before + 1);
  await program.act(id, 'pause');
  return { id, before };
}

/** Returns those of these people whose copy has not been delivered. */
async function waitingOf(id: string): Promise<string[]> {
  const waiting = await program.messagesOf(id, 'queued');
  return waiting.map(({ to }) => to.split('@')[0] ?? '');
}

async function expectSkipped(id: string, name: string, reason: string): Promise<void> {
  const recipient = await program.ask(
    'GET',
    `/v1/campaigns/${id}/recipients?email=${program.addressOf(name)}`,
  );
  expect(recipient.data).toMatchObject([{ state: 'skipped', reason, message_status: 'canceled' }]);
  const { message_id: messageId } = (recipient.data as { message_id: string }[])[0] ?? { message_id: '' };
  const trail = await program.trail(messageId);
  expect(trail.at(-1)).toMatchObject({ event: 'canceled', metadata: { campaign_id: id, reason } });
  const explained = await program.ask('GET', `/v1/messages/${messageId}/explain`);
  expect(explained).toMatchObject({ code: `canceled_${reason}` });
}

async function goesOn(id: string, { before, skipped }: { before: number; skipped: string[] }): Promise<void> {
  await program.act(id, 'resume');
  const done = await program.reachedBy(id, 'sent', 25_000);
  expect(done.stats).toMatchObject({ skipped: skipped.length });
  await program.arrived(before + PEOPLE - skipped.length);
  const copies = program.copies(before);
  expect(copies.size).toBe(PEOPLE - skipped.length);
  expect([...copies.values()].filter((count) => count !== 1)).toEqual([]);
  for (const name of skipped) expect(copies.has(program.addressOf(name))).toBe(false);
}

it('contacts that were deleted or removed from the list get no copy', async () => {
  const listId = await program.addList(namesOf(PEOPLE));
  const { id, before } = await pausedCampaign(listId);
  const [deleted = '', removed = ''] = await waitingOf(id);
  await program.ask('DELETE', `/v1/contacts/${await contactId(deleted)}`);
  await program.ask('DELETE', `/v1/lists/${listId}/contacts/${await contactId(removed)}`);
  // Created copies in the queue survive the end of the process.
  await program.appliance.end(ENDING.signal);
  await program.appliance.startHere();
  await goesOn(id, { before, skipped: [deleted, removed] });
  await expectSkipped(id, deleted, 'contact_deleted');
  await expectSkipped(id, removed, 'removed_from_list');
});

it.runIf(isFullSize)('contacts that left the segment or lost the tag get no copy', async () => {
  for (const name of namesOf(PEOPLE, 's')) {
    const body = { email: program.addressOf(name), sub_tenant_id: program.tenantId, tags: ['vip', 'gold'] };
    await program.ask('POST', '/v1/contacts', body);
  }
  const { id: listId } = (await program.ask('POST', '/v1/lists', {
    name: 'VIP',
    sub_tenant_id: program.tenantId,
    filter: { all: [{ field: 'tag', op: 'has', value: 'vip' }] },
  })) as { id: string };
  const { id, before } = await pausedCampaign(listId, { segment_tag: 'gold' });
  const [outside = '', untagged = ''] = await waitingOf(id);
  await program.ask('PATCH', `/v1/contacts/${await contactId(outside)}`, { tags: ['gold'] });
  await program.ask('PATCH', `/v1/contacts/${await contactId(untagged)}`, { tags: ['vip'] });
  await goesOn(id, { before, skipped: [outside, untagged] });
  await waitFor(
    'the skips to be shown',
    () => program.ask('GET', `/v1/campaigns/${id}/recipients?state=skipped`),
    ({ data }: { data: unknown[] }) => data.length === 2,
  );
  await expectSkipped(id, outside, 'not_in_segment');
  await expectSkipped(id, untagged, 'not_in_segment');
});
