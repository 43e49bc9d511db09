// Contract of events about contacts, suppressions, campaigns, transfers and domains: what writes them, and who can read them.
import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordEvent, WebhookEvent } from '../../../src/contract/names.js';
import { newId } from '../../../src/lib/runtime/index.js';
import { checkChains } from '../../../src/events/chain-check.store.js';
import { readDetail } from '../../../src/events/events.store.js';
import type { Scope } from '../../../src/database/scope.js';
import { CAMPAIGN, LIST } from '../../support/audience-rows.js';
import { CONSENT } from '../../support/consent.js';
import { type Bench, NOW, newWorld } from './builders.js';
import { type StoredEvent, events as eventsTable } from '../../../src/events/events.tables.js';
import type { Change } from '../../../src/database/change.js';
import { webhookEndpoints } from '../../../src/webhooks/webhooks.tables.js';
import { insert, update } from '../../../src/database/rows.js';
import {
  putContact,
  changeContact,
  removeContact,
  joinList,
  leaveList,
} from '../../../src/contacts/contact-changes.store.js';
import {
  suppress,
  changeSuppressions,
  liftSuppressions,
} from '../../../src/suppressions/suppression-changes.store.js';
import { contactLists } from '../../../src/contacts/lists/lists.tables.js';
import { campaigns } from '../../../src/campaigns/campaigns.tables.js';
import { senders } from '../../../src/domains/domains.tables.js';
import { appendEvent } from '../../../src/events/append.store.js';
import { senderRow } from '../../support/domain-rows.js';

const CONTACT = { name: null, phone: null, tags: '[]', metadata: '{}', status: 'active' } as const;

export function recordEventContract(given: () => Bench): void {
  let live: Scope;
  let test: Scope;
  beforeEach(async () => ({ live, test } = await newWorld(given().store)));

  const commit = (...plan: Change[]) => given().store.commit(plan);

  const chain = (): Promise<StoredEvent[]> => given().store.events.chainAfter(live.workspaceNumber, 0, 1_000);
  const told = async (): Promise<string[]> => (await chain()).map(({ event }) => event);

  async function endpointFor(scope: Scope, events: readonly WebhookEvent[]): Promise<void> {
    await commit(
      insert(webhookEndpoints, {
        row: {
          id: newId('whe', NOW),
          environment_id: scope.environmentId,
          sub_tenant_id: null,
          url: 'https://x.example',
          description: null,
          events: JSON.stringify(events),
          status: 'enabled',
          disabled_reason: null,
          consecutive_failures: 0,
          secret_sealed: '',
          created_at: NOW,
          updated_at: NOW,
        },
      }),
    );
  }

  function contact(scope: Scope, email: string, wish: { isBulk?: true } = {}) {
    const { environmentId, subTenantId } = scope;
    const at = { created_at: NOW, updated_at: NOW };
    const place = { environment_id: environmentId, sub_tenant_id: subTenantId };
    const row = { id: newId('cnt', NOW), ...place, email, email_key: email, ...CONTACT, ...at };
    return putContact({ row, ifKnown: 'ignore', ...wish });
  }

  function suppression(scope: Scope, email: string, wish: { isBulk?: true } = {}) {
    const row = {
      id: newId('sup', NOW),
      environment_id: scope.environmentId,
      sub_tenant_key: scope.subTenantId ?? '',
      email,
      email_key: email,
      reason: 'manual' as const,
      message_public_id: null,
      reply: null,
      created_at: NOW,
    };
    return suppress({ row, conflict: 'ignore', ...wish });
  }

  const CONTACTS: RecordEvent[] = [
    'contact.created',
    'contact.updated',
    'contact.unsubscribed',
    'contact.deleted',
    'contact.erased',
  ];

  describe('events about records', () => {
    it('of contacts are written while an endpoint of the environment names them, and not otherwise', async () => {
      await commit(contact(live, 'before@x.example'));
      await endpointFor(test, ['contact.created']);
      await commit(contact(live, 'elsewhere@x.example'));
      expect(await told()).toEqual([]);
      await endpointFor(live, ['contact.created', 'message.sent']);
      const ann = contact(live, 'ann@x.example');
      await commit(ann);
      await commit(changeContact({ id: ann.row.id, set: { name: 'Ann', updated_at: NOW } }));
      expect((await chain()).map(({ event, subject_id: id, actor }) => [event, id, actor])).toEqual([
        ['contact.created', ann.row.id, 'system'],
      ]);
    });

    it('name the changed contact, and nothing of its data', async () => {
      await endpointFor(live, CONTACTS);
      const ann = contact(live, 'ann@x.example');
      const bob = contact(live, 'bob@x.example');
      await commit(ann, ann, bob);
      const row = {
        ...{ id: newId('sup', NOW), environment_id: live.environmentId, sub_tenant_key: '', created_at: NOW },
        ...{ email: 'bob@x.example', email_key: 'bob@x.example', message_public_id: null, reply: null },
      };
      await commit(
        changeContact({ id: ann.row.id, set: { name: 'A', tags: '["t"]', updated_at: NOW + 1 } }),
        suppress({ row: { ...row, reason: 'bounce' }, conflict: 'ignore' }),
        suppress({ row: { ...row, id: newId('sup', NOW), reason: 'complaint' }, conflict: 'ignore' }),
        changeSuppressions({ set: { reason: 'unsubscribe' }, where: { id: row.id }, at: NOW }),
        removeContact({ id: ann.row.id, at: NOW + 2 }),
        removeContact({ id: ann.row.id, at: NOW + 3 }),
        removeContact({ id: bob.row.id, isErasure: true, at: NOW + 4 }),
      );
      const rows = await chain();
      expect(rows.map((row) => [row.event, row.subject_id, readDetail(row).metadata])).toEqual([
        ['contact.created', ann.row.id, undefined],
        ['contact.created', bob.row.id, undefined],
        ['contact.updated', ann.row.id, { changed: ['name', 'tags'] }],
        ['contact.updated', bob.row.id, { changed: ['status'] }],
        ['contact.unsubscribed', bob.row.id, { changed: ['status'] }],
        ['contact.deleted', ann.row.id, undefined],
        ['contact.erased', bob.row.id, undefined],
      ]);
      expect(JSON.stringify(rows)).not.toContain('x.example');
    });

    it('report that a member left one list', async () => {
      await endpointFor(live, CONTACTS);
      const listId = newId('lst', NOW);
      const ann = contact(live, 'ann@x.example');
      const environment_id = live.environmentId;
      await commit(ann, insert(contactLists, { row: { ...LIST, id: listId, environment_id } }));
      const list = await given().store.lists.list(live, listId);
      if (!list) throw new Error('There is no list.');
      const place = { listNumber: list.number, contactId: ann.row.id, at: NOW };
      const leave = { ...place, emailKey: 'ann@x.example' };
      await commit(
        joinList({ ...place, state: 'subscribed', returned: false, consent: CONSENT }),
        leaveList({ ...leave, unsubscribed: false }),
        leaveList({ ...leave, unsubscribed: true }),
      );
      const left = (await chain()).filter(({ event }) => event === 'contact.unsubscribed');
      expect(left.map((row) => [row.subject_id, row.actor, readDetail(row).metadata])).toEqual([
        [ann.row.id, 'recipient', { list_id: listId }],
      ]);
    });

    it('of suppressions report additions and removals, once each', async () => {
      await endpointFor(live, ['suppression.created', 'suppression.deleted']);
      const ann = suppression(live, 'ann@x.example');
      await commit(ann, suppression(live, 'ann@x.example'));
      const lift = liftSuppressions({ where: { id: ann.row.id }, at: NOW });
      await commit(lift, lift);
      expect((await chain()).map(({ event, subject_id: id }) => [event, id])).toEqual([
        ['suppression.created', ann.row.id],
        ['suppression.deleted', ann.row.id],
      ]);
    });

    it('are not written for each row of an import', async () => {
      await endpointFor(live, [...CONTACTS, 'suppression.created']);
      const ann = contact(live, 'ann@x.example', { isBulk: true });
      const set = { name: 'Ann', updated_at: NOW };
      await commit(ann, suppression(live, 'ann@x.example', { isBulk: true }));
      await commit(changeContact({ id: ann.row.id, set, isBulk: true }));
      expect(await told()).toEqual([]);
    });

    it('go with a plan that is refused', async () => {
      await endpointFor(live, CONTACTS);
      const otherwise = { code: 'not_found' } as const;
      const gone: Change = removeContact({ id: 'cnt_none', at: NOW, otherwise });
      await expect(commit(contact(live, 'ann@x.example'), gone)).rejects.toMatchObject({ code: 'not_found' });
      expect(await told()).toEqual([]);
    });

    it('of a campaign are appended for every change of its status, by anyone, and only then', async () => {
      const id = newId('cmp', NOW);
      const row = { ...CAMPAIGN, id, environment_id: live.environmentId, list_number: 1, status: 'draft' };
      await commit(insert(campaigns, { row: row as typeof row & { status: 'draft' } }));
      const move = (
        from: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent',
        to: typeof from | 'canceled',
      ) => commit(update(campaigns, { set: { status: to, updated_at: NOW }, where: { id, status: from } }));
      await move('draft', 'scheduled');
      await move('draft', 'scheduled');
      await move('scheduled', 'sending');
      await commit(update(campaigns, { set: { updated_at: NOW }, where: { id } }));
      await move('sending', 'paused');
      await move('paused', 'sending');
      await move('sending', 'sent');
      await move('paused', 'canceled');
      await move('sent', 'canceled');
      expect(await told()).toEqual([
        'campaign.scheduled',
        'campaign.started',
        'campaign.paused',
        'campaign.resumed',
        'campaign.sent',
        'campaign.canceled',
      ]);
    });

    it('of a sender’s domain lie in the live environment, and are its sub-tenant’s', async () => {
      const tenant = newId('tnt', NOW);
      const id = newId('snd', NOW);
      const row = senderRow(live.workspaceId, NOW, {
        id,
        sub_tenant_id: tenant,
        kind: 'domain',
        identity: `${id}.example`,
        status: 'pending_verification',
        verified_at: null,
        last_checked_at: null,
      });
      await commit(insert(senders, { row }));
      const set = (where: object, values: object): Change =>
        update(senders, { set: { ...values, updated_at: NOW }, where: { id, ...where } });
      await commit(set({ status: 'pending_verification' }, { status: 'failed' }));
      await commit(set({ status: 'failed' }, { status: 'pending_verification' }));
      await commit(set({ status: 'pending_verification' }, { status: 'verified' }));
      await commit(set({ status: 'verified', drifting_since: null }, { drifting_since: NOW }));
      await commit(set({ status: 'verified' }, { status: 'suspended' }));
      await commit(set({ status: 'suspended' }, { status: 'verified', drifting_since: null }));
      await commit(set({}, { is_default: 1 }));
      const rows = await chain();
      expect(rows.map(({ event }) => event)).toEqual([
        'domain.failed',
        'domain.verified',
        'domain.drifted',
        'domain.suspended',
        'domain.recovered',
      ]);
      expect(new Set(rows.map((one) => one.environment_id))).toEqual(new Set([live.environmentId]));
      expect(new Set(rows.map((one) => one.sub_tenant_id))).toEqual(new Set([tenant]));
      const { workspaceNumber } = live;
      const fanned = await given().store.webhooks.eventsToFanOut(workspaceNumber, 0, 10);
      expect(new Set(fanned.map(({ subTenantId }) => subTenantId))).toEqual(new Set([tenant]));
    });

    it('are in the feed of who names them, within their sub-tenant and environment', async () => {
      for (const scope of [live, test]) await endpointFor(scope, ['contact.created']);
      const tenant = newId('tnt', NOW);
      const own = contact(live, 'own@x.example');
      const theirs = contact({ ...live, subTenantId: tenant }, 'theirs@x.example');
      await commit(own, theirs, contact(test, 'tried@x.example'));
      const page = { after: null, limit: 10, order: 'asc' } as const;
      const seen = async (scope: Scope, events: RecordEvent[] | null) => {
        const wanted = events && { events, suppressed: 'both' as const };
        const { rows } = await given().store.feed.page(scope, { ...page, events: wanted });
        return rows.map((one) => [one.subject_id, one.sub_tenant_id]);
      };
      expect(await seen(live, null)).toEqual([]);
      expect(await seen(live, ['contact.created'])).toEqual([
        [own.row.id, null],
        [theirs.row.id, tenant],
      ]);
      expect(await seen({ ...live, subTenantId: tenant }, ['contact.created'])).toEqual([
        [theirs.row.id, tenant],
      ]);
      expect(await seen({ ...live, subTenantId: newId('tnt', NOW) }, ['contact.created'])).toEqual([]);
      expect(await seen(test, ['contact.created'])).toHaveLength(1);
    });

    it('keep the chain whole, and whose they are cannot be changed', async () => {
      await endpointFor(live, CONTACTS);
      await commit(contact({ ...live, subTenantId: newId('tnt', NOW) }, 'ann@x.example'));
      const reports = await checkChains(given().store, 7);
      const report = reports.find(({ workspaceId }) => workspaceId === live.workspaceId);
      expect(report).toMatchObject({ entries: 1, broken: null });
      const position = (await chain())[0]?.position ?? 0;
      await expect(
        commit(update(eventsTable, { set: { sub_tenant_id: 'tnt_x' }, where: { position } })),
      ).rejects.toThrow('append-only');
    });

    it('of a sub-tenant’s domain are not in the trail of the sub-tenant', async () => {
      const tenant = newId('tnt', NOW);
      const event = {
        ...{ environmentId: live.environmentId, workspaceNumber: live.workspaceNumber, messageId: null },
        ...{ subjectId: tenant, actor: 'worker' as const, occurredAt: NOW },
      };
      await commit(
        appendEvent({ event: { ...event, event: 'domain.verified' } }),
        appendEvent({ event: { ...event, event: 'tenant_warned' } }),
      );
      const trail = await given().store.events.auditTrailOfSubject(live, tenant, 10);
      expect(trail.map((one) => one.event)).toEqual(['tenant_warned']);
    });
  });
}
