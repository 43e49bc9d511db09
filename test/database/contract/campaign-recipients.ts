// Contract of a campaign's recipients: filtered by their activity, in windows of any size, and with edited copies that are
// duplicated with the campaign.
import { describe, expect, it } from 'vitest';
import type { RecipientResult } from '../../../src/contract/names.js';
import { newId } from '../../../src/lib/runtime/index.js';
import { compareRestored } from '../../../src/campaigns/restored-campaigns.js';
import { createRecipientHash } from '../../../src/outbound/outcome/recipient-hash.rules.js';
import { createRecipientList } from '../../../src/campaigns/recipients.store.js';
import { CAMPAIGN } from '../../support/audience-rows.js';
import { type Bench, accept, eventOf, newWorld, NOW } from './builders.js';
import { type ShareLink, shareLinks } from '../../../src/share-links/share-links.tables.js';
import { campaigns, campaignRecipients, campaignOverrides } from '../../../src/campaigns/campaigns.tables.js';
import { insert, update } from '../../../src/database/rows.js';
import { appendEvent } from '../../../src/events/append.store.js';
import { engagement } from '../../../src/analytics/analytics.tables.js';

const WINDOWS = { first: 2, next: 3, page: 7 };

export function campaignRecipientContract(given: () => Bench): void {
  describe('recipients of a campaign', () => {
    it('are found by what they did and did not, page by page', async () => {
      const { store, opened } = given();
      const { live } = await newWorld(store);
      const id = newId('cmp', NOW);
      const campaign = { ...CAMPAIGN, id, environment_id: live.environmentId, list_number: 1 };
      await store.commit([insert(campaigns, { row: campaign })]);
      const results: Record<number, string> = {};
      for (let number = 1; number <= 20; number++) {
        const isSkipped = number % 5 === 0;
        const messageId = isSkipped
          ? null
          : ((await accept(store, live, [{ row: { campaign_id: id } }]))[0] ?? null);
        const email = `p${number}@x.example`;
        const row = {
          ...{ campaign_id: id, contact_number: number, email, email_key: email, variant: null },
          ...{ state: isSkipped ? ('skipped' as const) : ('created' as const), reason: null },
          message_id: messageId,
        };
        await store.commit([insert(campaignRecipients, { row })]);
        results[number] = isSkipped ? 'skipped' : number % 2 === 0 ? 'delivered' : 'bounced';
        if (messageId === null) continue;
        const event = number % 2 === 0 ? 'delivered' : 'bounced';
        await store.commit([
          appendEvent({ event: { ...eventOf(live, newId('msg', NOW), event), messageId } }),
        ]);
        if (number % 4 !== 0) continue;
        results[number] = `${event} opened`;
        const engaged = { message_id: messageId, opens: 1, machine_opens: 0, clicks: 0, machine_clicks: 0 };
        await store.commit([insert(engagement, { row: engaged })]);
      }
      const list = createRecipientList(opened.engine, WINDOWS);
      async function found(did?: RecipientResult[], didNot?: RecipientResult[]): Promise<number[]> {
        const numbers: number[] = [];
        let after: string | null = null;
        do {
          const filter = { ...(did ? { did } : {}), ...(didNot ? { didNot } : {}) };
          const page = await list(id, { limit: 3, after }, filter);
          numbers.push(...page.rows.map((row) => row.contact_number));
          after = page.next;
        } while (after !== null);
        return numbers;
      }
      const expected = (isWanted: (all: string) => boolean): number[] =>
        Object.entries(results)
          .filter(([, all]) => isWanted(all))
          .map(([number]) => Number(number))
          .reverse();
      expect(await found(['delivered'])).toEqual(expected((all) => all.includes('delivered')));
      expect(await found(['opened', 'skipped'])).toEqual(expected((all) => /opened|skipped/.test(all)));
      expect(await found(['delivered'], ['opened'])).toEqual(expected((all) => all === 'delivered'));
      expect(await found(undefined, ['delivered', 'bounced'])).toEqual(expected((all) => all === 'skipped'));
      for (const none of ['clicked', 'complained', 'replied', 'unsubscribed'] as const) {
        expect(await found([none])).toEqual([]);
      }
    });

    it('who had their mail before a restore are skipped, in the audience or before it is complete', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const id = newId('cmp', NOW);
      const campaign = {
        ...{ ...CAMPAIGN, id, environment_id: live.environmentId, list_number: 1, status: 'paused' as const },
        ...{ frozen_up_to: 3, frozen_at: null, total: 3, skipped: 0, problem: null },
      };
      await store.commit([insert(campaigns, { row: campaign })]);
      const person = (number: number) => {
        const email = `p${number}@x.example`;
        return { number, email, email_key: email };
      };
      for (const [i, state] of (['created', 'waiting', 'held'] as const).entries()) {
        const { number, ...address } = person(i + 1);
        const row = { campaign_id: id, contact_number: number, ...address, state };
        const rest = { variant: null, reason: null, message_id: null };
        await store.commit([insert(campaignRecipients, { row: { ...row, ...rest } })]);
      }
      const lists = {
        listFor: () => Promise.resolve({}),
        audienceSlice: () => Promise.resolve([person(4), person(5)]),
      } as unknown as Parameters<typeof compareRestored>[0]['store']['lists'];
      const hashOf = createRecipientHash(Buffer.alloc(32, 1));
      const reached = [1, 3, 4, 99].map((number) => hashOf(id, person(number).email_key));
      const evidence = { reached: new Map([[id, new Set(reached)]]), isWhole: false };
      const deps = { store: { restoredCampaigns: store.restoredCampaigns, lists }, hashOf, clock: () => NOW };
      const compare = async (isFinal: boolean) =>
        (await compareRestored(deps, evidence, { isFinal })).find((one) => one.id === id);
      const expected = { status: 'paused', waiting: 2, skipped: 2, may_get_it_twice: 2, not_found: 1 };
      expect(await compare(false)).toMatchObject(expected);
      expect(await compare(true)).toMatchObject(expected);
      expect(await store.campaigns.campaign(live, id)).toMatchObject({ total: 4, skipped: 2 });
      const rows = await store.restoredCampaigns.recipients(id, 0, 10);
      expect(rows.map(({ contact_number, state }) => [contact_number, state])).toEqual([
        ...[
          [1, 'created'],
          [2, 'waiting'],
          [3, 'skipped'],
          [4, 'skipped'],
        ],
      ]);
      // Done twice, or after a resume, it changes nothing.
      await compare(true);
      await store.commit([update(campaigns, { set: { status: 'sending' }, where: { id } })]);
      await store.restoredCampaigns.skip(id, [2], NOW);
      await store.restoredCampaigns.addSkipped(id, [{ contact_number: 5, ...person(5) }], NOW);
      expect(await store.campaigns.campaign(live, id)).toMatchObject({ total: 4, skipped: 2 });
      expect(await store.restoredCampaigns.recipients(id, 1, 10)).toHaveLength(3);
    });

    it('have their edited copies copied, a slice at a time', async () => {
      const { store } = given();
      const [from, to] = [newId('cmp', NOW), newId('cmp', NOW)];
      for (let i = 0; i < 5; i++) {
        const email = `p${i}@x.example`;
        const row = {
          ...{ campaign_id: from, email, email_key: email, subject: `For ${i}`, html: null },
          ...{ created_at: 1, updated_at: 1 },
        };
        await store.commit([insert(campaignOverrides, { row })]);
      }
      const ends: (string | null)[] = [];
      let after: string | null = '';
      while (after !== null) {
        after = await store.campaigns.copyOverrides(from, to, { after, limit: 2, now: NOW });
        ends.push(after);
      }
      expect(ends).toEqual(['p1@x.example', 'p3@x.example', null]);
      const { rows } = await store.campaigns.overridePage(to, { limit: 10, after: null });
      expect(rows.map(({ subject, created_at: at }) => [subject, at])).toEqual(
        [0, 1, 2, 3, 4].map((i) => [`For ${i}`, NOW]),
      );
    });
  });

  describe('share links', () => {
    it('work until their end, are counted by target, and are forgotten', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const link = (more: Partial<ShareLink>): ShareLink => ({
        ...{ id: newId('shr', NOW), environment_id: live.environmentId, sub_tenant_id: null },
        ...{ target: 'sender', target_id: 'snd_a', include_content: 0, created_at: NOW },
        ...{ expires_at: NOW + 1_000, revoked_at: null },
        ...more,
      });
      const [open, ended, revoked] = [link({}), link({ expires_at: NOW }), link({ revoked_at: NOW })];
      const ofTenant = link({ sub_tenant_id: 'tnt_a', target_id: 'tnt_a' });
      for (const row of [open, ended, revoked, ofTenant]) {
        await store.commit([insert(shareLinks, { row })]);
      }
      const works = await Promise.all(
        [open, ended, revoked].map(({ id }) => store.shareLinks.openLink(id, NOW)),
      );
      expect(works.map((row) => row !== null)).toEqual([true, false, false]);
      expect(await store.shareLinks.countOpen(live.environmentId, 'snd_a', NOW)).toBe(1);
      const page = { limit: 10, after: null };
      const narrowed = await store.shareLinks.shareLinks({ ...live, subTenantId: 'tnt_a' }, page, {});
      expect(narrowed.rows.map(({ id }) => id)).toEqual([ofTenant.id]);
      expect((await store.shareLinks.shareLinks(live, page, { targetId: 'snd_a' })).rows).toHaveLength(3);
      expect(await store.shareLinks.prune(NOW + 1, 10)).toBe(1);
      expect(await store.shareLinks.shareLink(live, ended.id)).toBeNull();
    });
  });
}
