// Compares the statistics with a plain count of the events, for random histories, with the follower interrupted anywhere.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEASURES, type Measure } from '../../src/analytics/analytics.schema.js';
import type { TrailEvent } from '../../src/contract/names.js';
import { newId } from '../../src/lib/runtime/index.js';
import { createConsumer, type ConsumerStore } from '../../src/events/consumers.store.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { createCountEvents } from '../../src/analytics/count-events.js';
import { newMessage, newWorld, NOW, onlyId } from '../database/contract/builders.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';
import { sized } from '../support/run-size.js';
import { type NewMessage, acceptMessage } from '../../src/messages/accept/accept.store.js';
import { appendEvent } from '../../src/events/append.store.js';
import { templates, templateVersions } from '../../src/templates/templates.tables.js';
import { insert, update } from '../../src/database/rows.js';
import { campaigns } from '../../src/campaigns/campaigns.tables.js';
import { listUnsubscribes } from '../../src/contacts/lists/lists.tables.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EVENTS = [
  'sending', 'sent', 'deferred', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'failed',
  'suppressed', 'canceled', 'rescheduled', 'auto_replied', 'received',
] as const satisfies readonly TrailEvent[]; // prettier-ignore

/** The counts that sub-tenants are judged by, per hour. */
const JUDGED = ['sent', 'delivered', 'bounced', 'complained'] as const;

interface Step {
  message: number;
  event: (typeof EVENTS)[number];
  machine: boolean;
  url: number;
  hard: boolean;
  atHours: number;
  erased: boolean;
}

/** How a read of the chain ends: completed, or the process dies before or after the commit. */
type Round = 'whole' | 'killed before the commit' | 'killed after the commit';

const SHAPES = [
  { type: 'transactional', tenant: null, source: null, variant: null },
  { type: 'marketing', tenant: 'tnt_a', source: 'cmp_1', variant: null },
  { type: 'marketing', tenant: null, source: 'cmp_1', variant: 'vip' },
  { type: 'sales', tenant: 'tnt_b', source: 'seq_1', variant: 'stp_1' },
  { type: 'transactional', tenant: null, source: null, variant: null, isReport: true },
  { type: 'transactional', tenant: 'tnt_a', source: null, variant: null, isForwarded: true },
] as const;

const step = fc.record<Step>({
  message: fc.nat(7),
  event: fc.constantFrom(...EVENTS, 'opened', 'clicked', 'clicked', 'delivered'),
  machine: fc.boolean(),
  url: fc.nat(3),
  hard: fc.boolean(),
  atHours: fc.nat(80),
  erased: fc.boolean(),
});
const history = fc.record({
  steps: fc.array(step, { maxLength: 60, size: 'max' }),
  batch: fc.integer({ min: 1, max: 9 }),
  rounds: fc.array(
    fc.constantFrom<Round>('whole', 'whole', 'killed before the commit', 'killed after the commit'),
    { maxLength: 12, size: 'max' },
  ),
});

interface Seen {
  /** Row id of the outbound message. */
  id: number;
  shape: (typeof SHAPES)[number];
  environmentId: number;
}

interface Happened {
  message: Seen;
  event: TrailEvent;
  at: number;
  machine: boolean;
  hard: boolean;
  url: string | null;
}

describe.each(engineKinds())('statistics on $name', (kind) => {
  let opened: OpenEngine;
  let store: Store;
  let worlds = 0;

  beforeAll(async () => {
    opened = await kind.openMigrated();
    store = createStore(opened.engine, { maxGroup: 50 });
  }, 120_000);

  afterAll(async () => {
    await store.drain();
    await opened.close();
  });

  const scoped = (source: string | null): string | null => (source === null ? null : `${source}_${worlds}`);

  function rowOf(shape: (typeof SHAPES)[number]): Partial<NewMessage['row']> {
    const source = scoped(shape.source);
    return {
      type: shape.type,
      sub_tenant_id: shape.tenant,
      campaign_id: shape.source === 'cmp_1' ? source : null,
      sequence_id: shape.source === 'seq_1' ? source : null,
      variant: shape.variant,
      null_sender: 'isReport' in shape ? 1 : 0,
      forward: 'isForwarded' in shape ? '{}' : null,
    };
  }

  /** Writes a history into a new workspace; returns the expected history. */
  async function write(
    scopes: readonly Scope[],
    steps: readonly Step[],
    between: () => Promise<void>,
  ): Promise<Happened[]> {
    const happened: Happened[] = [];
    const messages: (Seen & { publicId: string; scope: Scope })[] = [];
    for (let i = 0; i < 8; i++) {
      const shape = SHAPES[i % SHAPES.length] ?? SHAPES[0];
      const scope = scopes[i % scopes.length];
      if (!scope) throw new Error('no scope');
      const message = newMessage(scope, { row: rowOf(shape) });
      const id = onlyId(await store.commit([acceptMessage({ message })]));
      const seen = { id, shape, environmentId: scope.environmentId };
      messages.push({ ...seen, publicId: message.row.public_id, scope });
      happened.push({ message: seen, event: 'queued', at: NOW, machine: false, hard: false, url: null });
    }
    for (const [i, { message: index, event, machine, url, hard, atHours, erased }] of steps.entries()) {
      const message = messages[index];
      if (!message) continue;
      const at = NOW + atHours * HOUR;
      const link = event === 'clicked' ? `https://shop.example/${url}` : null;
      if (event === 'received') await reply(message, at);
      else {
        await store.commit([
          appendEvent({
            event: {
              environmentId: message.environmentId,
              workspaceNumber: message.scope.workspaceNumber,
              messageId: message.id,
              subjectId: message.publicId,
              event,
              actor: 'recipient',
              occurredAt: at,
              detail: {
                metadata: {
                  ...(machine ? { machine: true } : {}),
                  ...(link === null ? {} : { url: link }),
                  ...(event === 'bounced' ? { type: hard ? 'hard' : 'soft' } : {}),
                },
              },
            },
          }),
        ]);
      }
      happened.push({ message, event, at, machine, hard, url: link });
      // Erasing a person before the events were counted leaves an event of which only the name is known.
      if (erased && i % 7 === 0 && event !== 'received') await erase(happened.at(-1));
      if (i % 10 === 9) await between();
    }
    return happened;
  }

  async function reply(message: Seen & { scope: Scope }, at: number): Promise<void> {
    const inbound = newMessage(message.scope, { queued: false });
    await store.commit([
      acceptMessage({
        message: {
          ...inbound,
          usageDay: null,
          row: { ...inbound.row, status: 'received' },
          received: {
            in_reply_to_id: message.id,
            auto_reply: null,
            visible_text: 'Yes.',
            visible_html: null,
            quoted_text: null,
            signature: null,
            authentication: null,
            envelope: '{}',
            references_list: '[]',
            problems: '[]',
          },
          events: inbound.events.map((event) => ({ ...event, event: 'received', occurredAt: at })),
        },
      }),
    ]);
  }

  async function erase(last: Happened | undefined): Promise<void> {
    if (!last || (await isCounted())) return;
    await opened.raw(
      `UPDATE events SET detail = NULL, salt = NULL WHERE position = (SELECT MAX(position) FROM events)`,
    );
    Object.assign(last, { machine: false, hard: false, url: null });
  }

  async function isCounted(): Promise<boolean> {
    return store.consumers.isUpToDate('statistics', current.workspaceNumber);
  }
  let current: Scope;

  function consumers(round: () => Round): ConsumerStore {
    return {
      ...store.consumers,
      async move(move, taken) {
        const end = round();
        if (end === 'killed before the commit') throw new Error('killed');
        const hasMoved = await store.consumers.move(move, taken);
        if (end === 'killed after the commit') throw new Error('killed');
        return hasMoved;
      },
    };
  }

  it('count each event once', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, batch, rounds }) => {
        worlds += 1;
        const world = await newWorld(store);
        current = world.live;
        const ends = [...rounds];
        const run = createConsumer({
          name: 'statistics',
          consumers: consumers(() => ends.shift() ?? 'whole'),
          batch,
          take: createCountEvents(store.statistics),
        });
        const round = async (): Promise<boolean> => {
          try {
            return await run();
          } catch (error) {
            expect(String(error)).toContain('killed');
            return true;
          }
        };
        const happened = await write([world.live, world.test], steps, async () => {
          await round();
        });
        // Two simultaneous rounds, as by two nodes.
        for (let i = 0; (await Promise.all([round(), round()])).some(Boolean); i++)
          expect(i).toBeLessThan(500);
        expect(await isCounted()).toBe(true);
        const [environments, sources] = [
          [world.live, world.test].map(({ environmentId }) => environmentId),
          ['cmp_1', 'seq_1'].map((source) => scoped(source) ?? ''),
        ];
        expect(await storedDays(environments)).toEqual(plainDays(happened));
        expect(await storedTenantHours(environments)).toEqual(plainTenantHours(happened));
        for (const source of sources) {
          const own = happened.filter(({ message }) => scoped(message.shape.source) === source);
          expect(flat(await store.statistics.sourceStats(source))).toEqual(
            plain(own, ({ message }) => message.shape.variant ?? ''),
          );
          expect(flat((await store.statistics.sourceSeries(source, Infinity)).sums)).toEqual(
            plain(own, ({ at }) => String(Math.floor(at / HOUR))),
          );
          expect(flat((await store.statistics.sourceSeries(source, 0)).sums)).toEqual(
            plain(own, ({ at }) => String(Math.floor(at / DAY))),
          );
          expect(await store.statistics.sourceLinks(source)).toEqual(plainLinks(own));
        }
      }),
      { numRuns: sized({ small: kind.name === 'PGlite' ? 5 : 7, full: 25 }) },
    );
  }, 120_000);

  async function storedDays(environmentIds: readonly number[]): Promise<Record<string, number>> {
    const rows = await opened.raw(
      `SELECT * FROM stat_days WHERE environment_id IN (${environmentIds.join(', ')})`,
    );
    return Object.fromEntries(
      rows.map((row) => [
        [row['environment_id'], row['sub_tenant_key'], row['type'], row['day'], row['measure']].join(' '),
        Number(row['n']),
      ]),
    );
  }

  async function storedTenantHours(environmentIds: readonly number[]): Promise<Record<string, number>> {
    const rows = await opened.raw(
      `SELECT * FROM tenant_hours WHERE environment_id IN (${environmentIds.join(', ')})`,
    );
    return Object.fromEntries(
      rows.flatMap((row) =>
        JUDGED.filter((measure) => Number(row[measure]) > 0).map((measure) => [
          [row['environment_id'], row['sub_tenant_id'], row['hour'], measure].join(' '),
          Number(row[measure]),
        ]),
      ),
    );
  }

  it('begin at the start of an existing chain', async () => {
    const { live } = await newWorld(store);
    for (let i = 0; i < 5; i++) await store.commit([acceptMessage({ message: newMessage(live) })]);
    const run = createConsumer({
      name: 'statistics',
      consumers: store.consumers,
      batch: 2,
      take: createCountEvents(store.statistics),
    });
    const lag = async () =>
      (await store.consumers.lagging('statistics')).find(
        (found) => found.workspaceNumber === live.workspaceNumber,
      );
    expect(await lag()).toMatchObject({ seq: 0, headSeq: 5 });
    expect(await run()).toBe(true);
    expect(await lag()).toMatchObject({ seq: 2, headSeq: 5 });
    while (await run());
    expect(await lag()).toBeUndefined();
    expect(await run()).toBe(false);
    const { environmentId } = live;
    const day = Math.floor(NOW / DAY);
    const asked = { environmentId, subTenantKey: '*', from: day, to: day };
    const sums = await store.statistics.days({ ...asked, type: null });
    expect(sums.get(day)).toMatchObject({ queued: 5, sent: 0 });
    expect(await store.statistics.days({ ...asked, type: 'transactional' })).toEqual(sums);
    expect((await store.statistics.days({ ...asked, type: 'sales' })).size).toBe(0);
    expect((await store.statistics.days({ ...asked, from: day + 1, to: day + 1, type: null })).size).toBe(0);
  });

  it('count clicks on the first thousand links, and the others together', async () => {
    const { live } = await newWorld(store);
    const campaignId = newId('cmp', NOW);
    const message = newMessage(live, { row: { campaign_id: campaignId, type: 'marketing' } });
    const messageId = onlyId(await store.commit([acceptMessage({ message })]));
    const click = (url: string) =>
      appendEvent({
        event: {
          environmentId: live.environmentId,
          workspaceNumber: live.workspaceNumber,
          messageId,
          subjectId: message.row.public_id,
          event: 'clicked',
          actor: 'recipient',
          occurredAt: NOW,
          detail: { metadata: { url } },
        },
      });
    const urls = Array.from({ length: 1_100 }, (_, i) => `https://shop.example/${i}`);
    await store.commit([...urls, ...urls.slice(0, 3)].map(click));
    const run = createConsumer({
      name: 'statistics',
      consumers: store.consumers,
      batch: 400,
      take: createCountEvents(store.statistics),
    });
    while (await run());
    const links = await store.statistics.sourceLinks(campaignId);
    expect(links).toHaveLength(1_001);
    expect(links[0]).toEqual({ url: 'other', clicks: 100, people: 100, machine_clicks: 0 });
    expect(links.filter(({ clicks }) => clicks === 2)).toHaveLength(3);
    expect(links.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(1_103);
  });

  it('count the personalized links of a template as one', async () => {
    const { live } = await newWorld(store);
    const campaignId = newId('cmp', NOW);
    const templateId = newId('tpl', NOW);
    const html =
      '<a href="https://shop.example/cart?id={{id}}&amp;x=1">x</a><a href="https://shop.example/">y</a>';
    const of = {
      template_id: templateId,
      version: 1,
      subject: 's',
      text: null,
      inline_css: 0 as const,
      design: null,
    };
    const own = {
      environment_id: live.environmentId,
      sub_tenant_id: null,
      slug: templateId,
      name: 't',
      type: 'any' as const,
    };
    await store.commit([
      insert(templates, {
        row: { id: templateId, ...own, version: 1, created_at: NOW, updated_at: NOW, deleted_at: null },
      }),
      insert(templateVersions, { row: { ...of, html, created_at: NOW } }),
    ]);
    for (const id of [17, 18, 18]) {
      const row = {
        campaign_id: campaignId,
        type: 'marketing' as const,
        template_id: templateId,
        template_version: 1,
      };
      const message = newMessage(live, { row });
      const messageId = onlyId(await store.commit([acceptMessage({ message })]));
      const urls = [
        `https://shop.example/cart?id=${id}&x=1`,
        'https://shop.example/',
        'https://other.example/',
      ];
      for (const url of [...urls, ...urls]) {
        await store.commit([
          appendEvent({
            event: {
              environmentId: live.environmentId,
              workspaceNumber: live.workspaceNumber,
              messageId,
              subjectId: message.row.public_id,
              event: 'clicked',
              actor: 'recipient',
              occurredAt: NOW,
              detail: { metadata: { url } },
            },
          }),
        ]);
      }
    }
    // One event at a time: clicks of earlier batches are compared in the same form.
    const take = createCountEvents(store.statistics);
    const run = createConsumer({ name: 'statistics', consumers: store.consumers, batch: 1, take });
    while (await run());
    const links = await store.statistics.sourceLinks(campaignId);
    expect(links.map(({ url, clicks, people }) => [url, clicks, people]).sort()).toEqual([
      ['https://other.example/', 6, 3],
      ['https://shop.example/', 6, 3],
      ['https://shop.example/cart?id={{id}}&x=1', 6, 3],
    ]);
  });

  it('are committed together with the cursor, or not at all', async () => {
    const { live } = await newWorld(store);
    await store.commit([acceptMessage({ message: newMessage(live) })]);
    const { workspaceNumber } = live;
    const move = { name: 'sequences' as const, workspaceNumber, from: 0, to: 1 };
    const unsubscribe = (email_key: string) =>
      insert(listUnsubscribes, { row: { list_number: -workspaceNumber, email_key, unsubscribed_at: NOW } });
    const left = () =>
      opened.raw(`SELECT email_key FROM list_unsubscribes WHERE list_number = ${-workspaceNumber}`);
    const missing = update(campaigns, {
      set: { name: 'x' },
      where: { id: 'cmp_none' },
      otherwise: { code: 'not_found' },
    });
    await expect(store.consumers.move(move, { plan: [unsubscribe('a'), missing] })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await left()).toEqual([]);
    expect(await store.consumers.isUpToDate('sequences', workspaceNumber)).toBe(false);
    const both = [unsubscribe('b'), unsubscribe('c')].map((change) =>
      store.consumers.move(move, { plan: [change] }),
    );
    expect((await Promise.all(both)).sort()).toEqual([false, true]);
    expect(await left()).toHaveLength(1);
    expect(await store.consumers.isUpToDate('sequences', workspaceNumber)).toBe(true);
  });

  it('of a chain that cannot be counted do not delay others', async () => {
    const [broken, whole] = [await newWorld(store), await newWorld(store)];
    for (const { live } of [broken, whole]) {
      await store.commit([acceptMessage({ message: newMessage(live) })]);
    }
    const count = createCountEvents(store.statistics);
    const run = createConsumer({
      name: 'statistics',
      consumers: store.consumers,
      batch: 100,
      take: (events, workspaceNumber) =>
        workspaceNumber === broken.live.workspaceNumber ? Promise.reject(new Error('broken')) : count(events),
    });
    await expect(run()).rejects.toThrow('broken');
    expect(await store.consumers.isUpToDate('statistics', whole.live.workspaceNumber)).toBe(true);
    expect(await store.consumers.isUpToDate('statistics', broken.live.workspaceNumber)).toBe(false);
  });
});

/** The simple way: filters all events for each measure. */
function countOf(events: readonly Happened[], measure: Measure, only: (event: Happened) => boolean): number {
  const counted = events.filter(
    ({ message }) => !('isReport' in message.shape) && !('isForwarded' in message.shape),
  );
  const all = (isOne: (event: Happened) => boolean): number =>
    counted.filter((e) => isOne(e) && only(e)).length;
  const firsts = (isOne: (event: Happened) => boolean): number => {
    const seen = new Set<number>();
    let n = 0;
    for (const event of counted) {
      if (!isOne(event) || seen.has(event.message.id)) continue;
      seen.add(event.message.id);
      if (only(event)) n += 1;
    }
    return n;
  };
  const named = (name: TrailEvent, machine: boolean) => (e: Happened) =>
    e.event === name && e.machine === machine;
  switch (measure) {
    case 'opens':
      return all(named('opened', false));
    case 'clicks':
      return all(named('clicked', false));
    case 'machine_opens':
      return all(named('opened', true));
    case 'machine_clicks':
      return all(named('clicked', true));
    case 'opened':
      return firsts((e) => (e.event === 'opened' || e.event === 'clicked') && !e.machine);
    case 'clicked':
      return firsts(named('clicked', false));
    case 'machine_opened':
      return firsts(named('opened', true));
    case 'machine_clicked':
      return firsts(named('clicked', true));
    case 'hard_bounced': {
      const firstBounces = new Set(
        [...new Set(counted.map(({ message }) => message.id))].map((id) =>
          counted.find((e) => e.event === 'bounced' && e.message.id === id),
        ),
      );
      return all((e) => firstBounces.has(e) && e.hard);
    }
    case 'replied':
      return firsts(({ event }) => event === 'received');
    case 'bounced':
    case 'complained':
    case 'unsubscribed':
      return firsts(({ event }) => event === measure);
    case 'queued':
    case 'sent':
    case 'delivered':
    case 'deferred':
    case 'failed':
    case 'suppressed':
    case 'canceled':
      return all(({ event }) => event === measure);
  }
}

function plain(events: readonly Happened[], keyOf: (event: Happened) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of new Set(events.map(keyOf))) {
    for (const measure of MEASURES) {
      const n = countOf(events, measure, (event) => keyOf(event) === key);
      if (n > 0) counts[`${key} ${measure}`] = n;
    }
  }
  return counts;
}

function plainDays(events: readonly Happened[]): Record<string, number> {
  const of = (tenant: (event: Happened) => string) =>
    plain(events, (event) =>
      [event.message.environmentId, tenant(event), event.message.shape.type, Math.floor(event.at / DAY)].join(
        ' ',
      ),
    );
  return { ...of(({ message }) => message.shape.tenant ?? ''), ...of(() => '*') };
}

function plainTenantHours(events: readonly Happened[]): Record<string, number> {
  const ofTenants = events.filter(({ message }) => message.shape.tenant !== null);
  const counts = plain(ofTenants, ({ message, at }) =>
    [message.environmentId, message.shape.tenant, Math.floor(at / HOUR)].join(' '),
  );
  return Object.fromEntries(
    Object.entries(counts).filter(([key]) => JUDGED.some((measure) => key.endsWith(` ${measure}`))),
  );
}

function plainLinks(events: readonly Happened[]) {
  const clicks = events.filter(({ event, url }) => event === 'clicked' && url !== null);
  return [...new Set(clicks.map(({ url }) => url))]
    .map((url) => {
      const own = clicks.filter((click) => click.url === url);
      const people = own.filter(({ machine }) => !machine);
      return {
        url,
        clicks: people.length,
        people: new Set(people.map(({ message }) => message.id)).size,
        machine_clicks: own.length - people.length,
      };
    })
    .sort(
      (a, b) =>
        b.clicks - a.clicks ||
        b.machine_clicks - a.machine_clicks ||
        ((a.url ?? '') < (b.url ?? '') ? -1 : 1),
    );
}

function flat(sums: ReadonlyMap<string | number, Record<Measure, number>>): Record<string, number> {
  return Object.fromEntries(
    [...sums].flatMap(([key, own]) =>
      MEASURES.filter((measure) => own[measure] > 0).map((measure) => [`${key} ${measure}`, own[measure]]),
    ),
  );
}
