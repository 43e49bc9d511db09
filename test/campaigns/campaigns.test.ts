import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/database/scope.js';
import { sharedRoom } from '../support/shared-room.js';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { leaveList } from '../../src/contacts/contact-changes.store.js';
import { templateVersions, templates } from '../../src/templates/templates.tables.js';
import { insert, update } from '../../src/database/rows.js';

let rig: AudienceRig;
let scope: Scope;

let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
  scope = await rig.scopeOf('test');
});
afterEach(async () => {
  await rig.close();
});

const HTML = '<html><body><p>Hello {{first_name}} of {{city}}</p></body></html>';
const addressesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `reader${i}@example.com`);

async function messagesOf(
  id: string,
): Promise<{ to_email: string; subject: string; status: string; html: string }[]> {
  return (await rig.raw(
    `SELECT m.to_email, m.subject, m.status, c.html FROM messages m JOIN contents c ON c.id = m.content_id
      WHERE m.campaign_id = ? ORDER BY m.id`,
    [id],
  )) as never;
}

async function newCampaign(contacts: Parameters<AudienceRig['addListOf']>[0], fields: object = {}) {
  const list = await rig.addListOf(contacts);
  const template = await rig.addTemplate('news', { subject: 'News for {{first_name}}', html: HTML });
  return {
    list,
    template,
    id: await rig.addCampaign({ list_number: list.number, template_id: template, ...fields }),
  };
}

describe('members whose address is suppressed', () => {
  it("have a suppressed message, are skipped, and don't count toward the plan", async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id } = await newCampaign(addressesOf(3));
    await rig.suppress('test', 'reader1@example.com', 'complaint');
    await campaigns.send(scope, id, null);
    await rig.runToEnd(runner);
    expect(await rig.campaign(id)).toMatchObject({
      total: 3,
      created: 2,
      skipped: 1,
      suppressed: 1,
      failed: 0,
    });
    const rows = await rig.raw(
      `SELECT r.email, r.state, r.reason, m.status, m.subject, m.type, c.html, c.text, q.message_id AS queued
        FROM campaign_recipients r JOIN messages m ON m.id = r.message_id JOIN contents c ON c.id = m.content_id
        LEFT JOIN queue q ON q.message_id = m.id WHERE r.campaign_id = ? AND m.status = 'suppressed'`,
      [id],
    );
    expect(rows).toEqual([
      {
        ...{ email: 'reader1@example.com', state: 'skipped', reason: 'complaint', status: 'suppressed' },
        ...{ subject: 'News for {{first_name}}', type: 'marketing', html: null, text: null, queued: null },
      },
    ]);
    const [message] = await rig.raw(`SELECT public_id FROM messages WHERE to_key = 'reader1@example.com'`);
    const again = { actor: 'api', keyId: null, policy: null, idempotencyHeader: null } as const;
    await expect(rig.submission.resend(scope, String(message?.['public_id']), again)).rejects.toMatchObject({
      code: 'conflict',
    });
    const trail = await rig.raw(
      `SELECT v.event, v.actor, v.detail FROM events v JOIN messages m ON m.id = v.message_id
        WHERE m.to_key = 'reader1@example.com'`,
    );
    expect(trail).toEqual([
      { event: 'suppressed', actor: 'system', detail: '{"metadata":{"reason":"complaint"}}' },
    ]);
  });

  it('get one message each, whatever interrupts the batch', async () => {
    const { campaigns, runner } = rig.openCampaigns(2);
    const { id } = await newCampaign(addressesOf(6));
    for (const one of [0, 3, 4]) await rig.suppress('test', `reader${one}@example.com`, 'manual');
    await campaigns.send(scope, id, null);
    const stopped = new AbortController();
    stopped.abort();
    for (let run = 0; run < 3; run++) await runner.run(stopped.signal);
    await rig.runToEnd(rig.openCampaigns(4).runner);
    const rows = await rig.raw(
      'SELECT status, COUNT(*) AS n, COUNT(DISTINCT to_key) AS people FROM messages WHERE campaign_id = ? GROUP BY status',
      [id],
    );
    expect(rows.toSorted((one, other) => (String(one['status']) < String(other['status']) ? -1 : 1))).toEqual(
      [
        { status: 'queued', n: 3, people: 3 },
        { status: 'suppressed', n: 3, people: 3 },
      ],
    );
  });

  it('get no message if they only left the list', async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id, list } = await newCampaign(addressesOf(2));
    await campaigns.send(scope, id, null);
    await runner.run(new AbortController().signal);
    await rig.commit(
      leaveList({
        ...{ listNumber: list.number, emailKey: 'reader0@example.com' },
        ...{ contactId: null, unsubscribed: true, at: rig.clock.now() },
      }),
    );
    await rig.runToEnd(runner);
    expect((await messagesOf(id)).length + (await rig.campaign(id)).skipped).toBe(2);
    expect(await rig.campaign(id)).toMatchObject({ suppressed: 0 });
  });
});

describe('a campaign', () => {
  it('creates one personal copy for each member of its list', async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id } = await newCampaign([
      { email: 'ann@example.com', name: 'Ann Smith', metadata: { city: 'Bremen' } },
      { email: 'bob@example.com', name: 'Bob', metadata: { city: 'Kiel' } },
    ]);
    await campaigns.send(scope, id, null);
    await rig.runToEnd(runner);
    const made = await messagesOf(id);
    expect(made.map(({ to_email, subject }) => [to_email, subject])).toEqual([
      ['ann@example.com', 'News for Ann'],
      ['bob@example.com', 'News for Bob'],
    ]);
    expect(made[0]?.html).toContain('Hello Ann of Bremen');
    expect(made[0]?.html).toContain('Sender Ltd, 1 High Street, Bremen');
    expect(made[0]?.html).toMatch(/https:\/\/mail\.example\.test\/u\/[0-9a-z]{53}/);
    expect(await rig.campaign(id)).toMatchObject({
      status: 'sending',
      total: 2,
      created: 2,
      skipped: 0,
      failed: 0,
    });
  });

  it('is sent once no copy waits for a first attempt', async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id } = await newCampaign(addressesOf(3));
    await campaigns.send(scope, id, null);
    await rig.runToEnd(runner);
    await rig.raw(`UPDATE messages SET status = 'delivered' WHERE campaign_id = ?`, [id]);
    await rig.runToEnd(runner);
    expect(await rig.campaign(id)).toMatchObject({ status: 'sent', sent_at: rig.clock.now() });
  });

  it('without recipients is sent immediately', async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id } = await newCampaign([]);
    await campaigns.send(scope, id, null);
    await rig.runToEnd(runner);
    expect(await rig.campaign(id)).toMatchObject({ status: 'sent', total: 0 });
  });

  it('begins at its time and not earlier', async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id } = await newCampaign(addressesOf(1));
    const at = rig.clock.now() + 3_600_000;
    expect(await campaigns.send(scope, id, at)).toMatchObject({ status: 'scheduled', scheduled_at: at });
    await rig.runToEnd(runner);
    expect(await messagesOf(id)).toEqual([]);
    rig.clock.advance(3_600_000);
    await rig.runToEnd(runner);
    expect(await messagesOf(id)).toHaveLength(1);
  });

  it('keeps its audience from the start and its template versions from scheduling', async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id, template } = await newCampaign(addressesOf(2));
    await campaigns.send(scope, id, rig.clock.now() + 1000);
    await rig.commit(
      insert(templateVersions, {
        row: {
          template_id: template,
          version: 2,
          subject: 'Later',
          html: HTML,
          text: null,
          inline_css: 0,
          created_at: 1,
        },
      }),
      update(templates, { set: { version: 2 }, where: { id: template } }),
    );
    rig.clock.advance(1000);
    await rig.runToEnd(runner);
    expect((await messagesOf(id)).map(({ subject }) => subject)).toEqual(['News for ', 'News for ']);
  });

  it('skips and counts contacts that must not receive mail', async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id, list } = await newCampaign(addressesOf(4));
    await rig.suppress('test', 'reader0@example.com', 'unsubscribe');
    await rig.raw(`UPDATE contacts SET status = 'bounced' WHERE email = 'reader1@example.com'`);
    await campaigns.send(scope, id, null);
    const { runner: snapshotRunner } = rig.openCampaigns();
    await snapshotRunner.run(new AbortController().signal);
    await rig.raw(`INSERT INTO list_unsubscribes VALUES (?, 'reader2@example.com', 1)`, [list.number]);
    await rig.runToEnd(runner);
    expect((await messagesOf(id)).map(({ to_email, status }) => [to_email, status])).toEqual([
      ['reader0@example.com', 'suppressed'],
      ['reader3@example.com', 'queued'],
    ]);
    expect(await rig.campaign(id)).toMatchObject({ total: 4, created: 1, skipped: 3 });
    expect(await rig.store.campaigns.statistics.skippedReasons(id)).toEqual(
      new Map([
        ['bounced', 1],
        ['left_list', 1],
        ['unsubscribe', 1],
      ]),
    );
  });

  it('continues after a contact whose copy cannot be rendered', async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const list = await rig.addListOf([
      'a@example.com',
      { email: 'long@example.com', metadata: { word: 'x'.repeat(1200) } },
      'c@example.com',
    ]);
    const template = await rig.addTemplate('long', { subject: 'About {{word}}', text: 'Hello' });
    const id = await rig.addCampaign({ list_number: list.number, template_id: template });
    await campaigns.send(scope, id, null);
    await rig.runToEnd(runner);
    expect(await rig.campaign(id)).toMatchObject({ created: 2, failed: 1 });
    const failed = await rig.store.campaigns.recipients(
      id,
      { limit: 10, after: null },
      { state: ['failed'] },
    );
    expect(failed.rows.map(({ email, reason }) => [email, reason?.split(':', 1)[0]])).toEqual([
      ['long@example.com', 'template_invalid'],
    ]);
  });

  it("uses the variant of a contact's first matching tag, or the edited copy", async () => {
    const { campaigns, runner } = rig.openCampaigns();
    const { id } = await newCampaign([
      { email: 'vip@example.com', tags: ['old', 'vip'] },
      { email: 'old@example.com', tags: ['old'] },
      { email: 'new@example.com' },
      { email: 'own@example.com', tags: ['vip'] },
    ]);
    const vip = await rig.addTemplate('vip', { subject: 'For VIPs', text: 'V' });
    const old = await rig.addTemplate('old', { subject: 'For the old', text: 'O' });
    const variants = [
      { tag: 'vip', template_id: vip, subject: 'Dear VIP' },
      { tag: 'old', template_id: old, subject: null },
    ];
    await rig.raw('UPDATE campaigns SET variants = ? WHERE id = ?', [JSON.stringify(variants), id]);
    await rig.raw(
      `INSERT INTO campaign_overrides VALUES (?, 'own@example.com', 'own@example.com', NULL, '<p>Only you, {{email}}</p>', 1, 1)`,
      [id],
    );
    await campaigns.send(scope, id, null);
    await rig.runToEnd(runner);
    const made = await messagesOf(id);
    expect(made.map(({ subject }) => subject)).toEqual(['Dear VIP', 'For the old', 'News for ', 'Dear VIP']);
    expect(made[3]?.html).toContain('Only you, own@example.com');
    expect(made[3]?.html).toContain('Sender Ltd');
  });
});

describe('a paused or canceled campaign', () => {
  it('creates no copies while it is paused, holds its mail, and resumes where it stopped', async () => {
    rig = await startAudienceRig();
    scope = await rig.scopeOf('test');
    const { campaigns, runner } = rig.openCampaigns(2);
    const { id } = await newCampaign(addressesOf(120));
    await campaigns.send(scope, id, null);
    const never = new AbortController().signal;
    await runner.run(never);
    await runner.run(never);
    const before = (await messagesOf(id)).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(120);
    await campaigns.pause(scope, id);
    await rig.runToEnd(runner);
    expect(await messagesOf(id)).toHaveLength(before);
    const year = rig.clock.now() + 365 * 86_400_000;
    expect(await rig.raw('SELECT COUNT(*) AS n FROM queue WHERE due_at < ?', [year])).toEqual([{ n: 0 }]);
    rig.clock.advance(3 * 86_400_000);
    await campaigns.resume(scope, id);
    await rig.runToEnd(runner);
    expect(await messagesOf(id)).toHaveLength(120);
    const now = rig.clock.now();
    expect(
      await rig.raw(
        'SELECT COUNT(*) AS n FROM queue WHERE due_at > ? OR expires_at <= ? OR hold_reason IS NOT NULL',
        [now, now],
      ),
    ).toEqual([{ n: 0 }]);
    expect(await rig.campaign(id)).toMatchObject({ paused_at: null, created: 120 });
  });

  it('sends copies that a worker returned because of the pause immediately when it resumes', async () => {
    rig = await startAudienceRig();
    scope = await rig.scopeOf('test');
    const { campaigns, runner } = rig.openCampaigns();
    const { id } = await newCampaign(addressesOf(2));
    await campaigns.send(scope, id, null);
    await rig.runToEnd(runner);
    await campaigns.pause(scope, id);
    await rig.raw(
      `UPDATE queue SET due_at = ?, hold_reason = 'campaign: The campaign is paused or canceled.'
        WHERE message_id = (SELECT MIN(message_id) FROM queue)`,
      [rig.clock.now() + 60_000],
    );
    await rig.runToEnd(runner);
    rig.clock.advance(6_000);
    await campaigns.resume(scope, id);
    await rig.runToEnd(runner);
    const now = rig.clock.now();
    expect(await rig.raw('SELECT due_at - ? AS wait, hold_reason FROM queue', [now])).toEqual([
      { wait: 0, hold_reason: null },
      { wait: 0, hold_reason: null },
    ]);
  });

  it('cancels undelivered copies, attempted or not, and keeps those that may have been delivered', async () => {
    const { campaigns, runner } = rig.openCampaigns(5);
    const { id } = await newCampaign(addressesOf(30));
    await campaigns.send(scope, id, null);
    const never = new AbortController().signal;
    await runner.run(never);
    await runner.run(never);
    await rig.raw(
      `UPDATE messages SET status = 'delivered' WHERE id = (SELECT MIN(id) FROM messages WHERE campaign_id = ?)`,
      [id],
    );
    // One message is deferred, and the outcome of another one's attempt is unknown.
    const doubtful = 'message_id = (SELECT MIN(id) + 2 FROM messages WHERE campaign_id = ?)';
    await rig.raw(
      `UPDATE messages SET status = 'sent' WHERE campaign_id = ? AND id IN
        (SELECT MIN(id) + n FROM messages, (SELECT 1 AS n UNION SELECT 2) WHERE campaign_id = ? GROUP BY n)`,
      [id, id],
    );
    await rig.raw(`UPDATE queue SET ambiguous_attempts = 1 WHERE ${doubtful}`, [id]);
    await campaigns.pause(scope, id);
    await rig.runToEnd(runner);
    await campaigns.cancel(scope, id);
    await rig.runToEnd(runner);
    const statuses = (await messagesOf(id)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['delivered', 'sent', 'canceled']));
    expect(statuses.filter((status) => status !== 'canceled')).toHaveLength(2);
    expect(await rig.campaign(id)).toMatchObject({ status: 'canceled', fanned_out_at: rig.clock.now() });
  });

  it('pauses with the reason if no recipient can get a copy', async () => {
    const { campaigns, runner } = rig.openCampaigns(5);
    const { id } = await newCampaign(addressesOf(20));
    await campaigns.send(scope, id, null);
    await rig.raw('UPDATE organizations SET postal_address = NULL');
    await rig.runToEnd(runner);
    const campaign = await rig.campaign(id);
    expect(campaign.status).toBe('paused');
    expect(JSON.parse(campaign.problem ?? '')).toMatchObject({ code: 'postal_address_required' });
    await rig.raw(`UPDATE organizations SET postal_address = 'Here'`);
    await campaigns.resume(scope, id);
    await rig.runToEnd(runner);
    expect(await rig.campaign(id)).toMatchObject({ status: 'sending', created: 20, problem: null });
  });

  it('cannot be sent twice or changed in the wrong state', async () => {
    const { campaigns } = rig.openCampaigns();
    const { id } = await newCampaign(addressesOf(1));
    await campaigns.send(scope, id, null);
    await expect(campaigns.send(scope, id, null)).rejects.toMatchObject({ code: 'campaign_already_sent' });
    await expect(campaigns.cancel(scope, id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(campaigns.resume(scope, id)).rejects.toMatchObject({ code: 'conflict' });
    await campaigns.pause(scope, id);
    await campaigns.cancel(scope, id);
    await expect(campaigns.send(scope, id, null)).rejects.toMatchObject({ code: 'campaign_canceled' });
  });
});

describe('a split campaign', () => {
  it('tests its variants on part of the audience and sends the winner to the rest', async () => {
    const { campaigns, runner } = rig.openCampaigns(50);
    const split = {
      variants: [
        { key: 'a', template_id: null, subject: 'A' },
        { key: 'b', template_id: null, subject: 'B' },
      ],
      test_percent: 40,
      metric: 'clicked',
      wait_minutes: 60,
    };
    const { id } = await newCampaign(addressesOf(200), { split: JSON.stringify(split) });
    await campaigns.send(scope, id, null);
    await rig.runToEnd(runner);
    const first = await messagesOf(id);
    expect(first.length).toBeGreaterThan(50);
    expect(first.length).toBeLessThan(110);
    expect(new Set(first.map(({ subject }) => subject))).toEqual(new Set(['A', 'B']));
    await rig.raw(
      `INSERT INTO source_stats (source_id, variant, measure, n) VALUES (?, 'a', 'sent', 40), (?, 'a', 'clicked', 2),
        (?, 'b', 'sent', 40), (?, 'b', 'clicked', 9)`,
      [id, id, id, id],
    );
    rig.clock.advance(59 * 60_000);
    await rig.runToEnd(runner);
    expect(await messagesOf(id)).toHaveLength(first.length);
    rig.clock.advance(60_000);
    await rig.runToEnd(runner);
    const all = await messagesOf(id);
    expect(all).toHaveLength(200);
    expect(new Set(all.slice(first.length).map(({ subject }) => subject))).toEqual(new Set(['B']));
    expect(await rig.campaign(id)).toMatchObject({ winner: 'b' });
  });
});

it('continues the other campaigns after an error in one', async () => {
  const { campaigns, runner } = rig.openCampaigns();
  const broken = await newCampaign(addressesOf(2));
  const list = await rig.addListOf(['other@example.com']);
  const id = await rig.addCampaign({ list_number: list.number, template_id: broken.template });
  await campaigns.send(scope, broken.id, null);
  await campaigns.send(scope, id, null);
  await rig.raw(`UPDATE campaigns SET variants = 'broken' WHERE id = ?`, [broken.id]);
  await rig.runToEnd(runner);
  expect(await messagesOf(id)).toHaveLength(1);
  expect(await messagesOf(broken.id)).toHaveLength(0);
});

it('runs the campaigns of a workspace on one of several nodes', async () => {
  const room = sharedRoom(false);
  const { campaigns, runner } = rig.openCampaigns(20, room);
  const { id } = await newCampaign(addressesOf(3));
  await campaigns.send(scope, id, null);
  await rig.runToEnd(runner);
  expect(await rig.campaign(id)).toMatchObject({ status: 'sending', created: 0 });
  room.isMine = true;
  await rig.runToEnd(runner);
  expect(await rig.campaign(id)).toMatchObject({ created: 3 });
});
