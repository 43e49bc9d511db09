// Contract of all lists: pages are complete without duplicates, filters work, and callers only see their own objects.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import type { Page, PageRequest, Scope } from '../../../src/database/scope.js';
import type { Store } from '../../../src/app/store.js';
import { planApiKey } from '../../../src/accounts/api-keys/api-key-plan.js';
import { type Bench, NOW, accept, allPages, newWorld, tenantPlan } from './builders.js';
import type { Change } from '../../../src/database/change.js';
import { suppress } from '../../../src/suppressions/suppression-changes.store.js';
import { senders } from '../../../src/domains/domains.tables.js';
import { insert, update } from '../../../src/database/rows.js';
import { webhookEndpoints } from '../../../src/webhooks/webhooks.tables.js';
import { putContact } from '../../../src/contacts/contact-changes.store.js';
import { templates, templateVersions } from '../../../src/templates/templates.tables.js';
import { apiKeys } from '../../../src/accounts/api-keys/api-keys.tables.js';
import { senderRow } from '../../support/domain-rows.js';

const COUNT = 10;
/** Every third one belongs to a tenant. */
const isTenants = (i: number) => i % 3 === 0;
const OF_TENANT = 4;

interface Noun {
  name: string;
  /** Creates the i-th object, with an id that a page shows. */
  make(scope: Scope, tenantId: string, i: number): Change;
  list(store: Store, scope: Scope, page: PageRequest): Promise<Page<{ id: string | number }>>;
  get?: (store: Store, scope: Scope, id: string) => Promise<unknown>;
  /** Tenants also see objects of the whole workspace. */
  shared?: boolean;
}

const tenantOf = (tenantId: string, i: number) => (isTenants(i) ? tenantId : null);

const NOUNS: Noun[] = [
  {
    name: 'API keys',
    make: (scope, tenantId, i) =>
      planApiKey(
        {
          environmentId: scope.environmentId,
          mode: scope.mode,
          name: `k${i}`,
          permission: 'full',
          subTenantId: tenantOf(tenantId, i),
        },
        NOW + i,
      ).change,
    list: (store, scope, page) => store.accounts.apiKeys(scope, page),
    get: (store, scope, id) => store.accounts.apiKey(scope, id),
  },
  {
    name: 'contacts',
    make: (scope, tenantId, i) =>
      contact(scope, { at: NOW + i, subTenantId: tenantOf(tenantId, i), email: `c${i}@x.example` }),
    list: (store, scope, page) => store.contacts.contacts(scope, page, {}),
    get: (store, scope, id) => store.contacts.contact(scope, id),
  },
  {
    name: 'suppressions',
    make: (scope, tenantId, i) =>
      suppress({
        row: {
          id: newId('sup', NOW + i),
          environment_id: scope.environmentId,
          sub_tenant_key: tenantOf(tenantId, i) ?? '',
          email: `s${i}@x.example`,
          email_key: `s${i}@x.example`,
          reason: 'manual',
          message_public_id: null,
          reply: null,
          created_at: NOW,
        },
      }),
    list: (store, scope, page) => store.suppressions.suppressions(scope, page, {}),
  },
  {
    name: 'senders',
    make: (scope, tenantId, i) =>
      insert(senders, {
        row: senderRow(scope.workspaceId, NOW, {
          id: newId('snd', NOW + i),
          sub_tenant_id: tenantOf(tenantId, i),
          identity: `s${i}@x.example`,
        }),
      }),
    list: (store, scope, page) => store.domains.senders(scope, page),
    get: (store, scope, id) => store.domains.sender(scope, id),
  },
  {
    name: 'webhook endpoints',
    make: (scope, tenantId, i) =>
      insert(webhookEndpoints, {
        row: {
          id: newId('whe', NOW + i),
          environment_id: scope.environmentId,
          sub_tenant_id: tenantOf(tenantId, i),
          url: 'https://x.example',
          description: null,
          events: null,
          status: 'enabled',
          disabled_reason: null,
          consecutive_failures: 0,
          secret_sealed: '',
          created_at: NOW,
          updated_at: NOW,
        },
      }),
    list: (store, scope, page) => store.webhooks.endpoints(scope, page),
    get: (store, scope, id) => store.webhooks.endpoint(scope, id),
  },
];

function contact(
  scope: Scope,
  wish: {
    email: string;
    at?: number;
    subTenantId?: string | null;
    name?: string;
    tags?: string[];
    status?: 'active' | 'bounced';
  },
): Change {
  return putContact({
    ifKnown: { code: 'conflict' },
    row: {
      id: newId('cnt', wish.at ?? NOW),
      environment_id: scope.environmentId,
      sub_tenant_id: wish.subTenantId ?? null,
      email: wish.email,
      email_key: wish.email.toLowerCase(),
      name: wish.name ?? null,
      phone: null,
      tags: JSON.stringify(wish.tags ?? []),
      metadata: '{}',
      status: wish.status ?? 'active',
      created_at: NOW,
      updated_at: NOW,
    },
  });
}

function templatePlan(scope: Scope, subTenantId: string | null, slug: string): Change[] {
  const id = newId('tpl', NOW);
  const times = { created_at: NOW, updated_at: NOW };
  return [
    insert(templates, {
      row: {
        id,
        environment_id: scope.environmentId,
        sub_tenant_id: subTenantId,
        slug,
        name: slug,
        type: 'any',
        version: 1,
        deleted_at: null,
        ...times,
      },
    }),
    insert(templateVersions, {
      row: {
        template_id: id,
        version: 1,
        subject: 'S',
        html: null,
        text: 'T',
        inline_css: 0,
        design: null,
        created_at: NOW,
      },
    }),
  ];
}

export function listContract(given: () => Bench): void {
  describe.each(NOUNS)('the list of $name', (noun) => {
    it('shows every list once over its pages, and each caller only its own', async () => {
      const { store } = given();
      const [mine, foreign] = [await newWorld(store), await newWorld(store)];
      const tenantId = newId('tnt', NOW);
      await store.commit(Array.from({ length: COUNT }, (_, i) => noun.make(mine.live, tenantId, i)));
      const seen = async (scope: Scope) =>
        (await allPages((page) => noun.list(store, scope, page))).map((row) => row.id);

      const all = await seen(mine.live);
      expect(all).toHaveLength(COUNT);
      expect(new Set(all).size).toBe(COUNT);
      expect([...all].sort().reverse()).toEqual(all);
      const pinned = { ...mine.live, subTenantId: tenantId };
      const own = await seen(pinned);
      expect(own).toHaveLength(OF_TENANT);
      expect(await seen(foreign.live)).toEqual([]);
      expect(await seen({ ...mine.live, subTenantId: 'tnt_other' })).toEqual([]);

      if (!noun.get) return;
      const others = all.find((id) => !own.includes(id));
      expect(await noun.get(store, mine.live, String(others))).not.toBeNull();
      expect(await noun.get(store, pinned, String(others))).toBeNull();
      expect(await noun.get(store, pinned, String(own[0]))).not.toBeNull();
      expect(await noun.get(store, foreign.live, String(own[0]))).toBeNull();
    });
  });

  describe('the list of messages', () => {
    it('pages newest first within environment and tenant', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const tenant = { ...live, subTenantId: newId('tnt', NOW) };
      const own = await accept(
        store,
        live,
        Array.from({ length: 7 }, () => ({})),
      );
      const tenants = await accept(store, tenant, [{}, {}]);
      await accept(store, test, [{}]);
      const seen = async (scope: Scope) =>
        (await allPages((page) => store.messages.messages(scope, page, {}))).map((row) => row.id);
      expect(await seen(live)).toEqual([...own, ...tenants].sort((a, b) => b - a));
      expect(await seen(tenant)).toEqual([...tenants].sort((a, b) => b - a));
      expect(await seen(test)).toHaveLength(1);
      const [foreign] = await store.messages.messagesByRowId(live, own);
      expect(await store.messages.message(tenant, foreign?.public_id ?? '')).toBeNull();
      expect(await store.messages.message(test, foreign?.public_id ?? '')).toBeNull();
      expect(await store.messages.messagesByRowId(tenant, own)).toEqual([]);
    });

    it('filters by every field that it names', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [plain, bounced, marketing, tagged, late] = await accept(store, live, [
        { to: 'Plain@Example.com', row: { subject: 'Your 100% Discount' } },
        { row: { status: 'bounced' } },
        { row: { type: 'marketing' } },
        { tags: ['a_b', 'vip'] },
        { row: { created_at: NOW + 1000, scheduled_at: NOW + 5000 } },
      ]);
      const found = async (filter: Parameters<Store['messages']['messages']>[2]) =>
        (await store.messages.messages(live, { limit: 50, after: null }, filter)).rows.map((row) => row.id);
      expect(await found({ status: ['bounced'] })).toEqual([bounced]);
      expect(await found({ type: ['marketing'] })).toEqual([marketing]);
      expect(await found({ toKeys: ['plain@example.com'] })).toEqual([plain]);
      expect(await found({ tags: ['vip'] })).toEqual([tagged]);
      expect(await found({ tags: ['VIP'] })).toEqual([]);
      expect(await found({ createdAfter: NOW + 1 })).toEqual([late]);
      expect((await found({ createdBefore: NOW + 1 })).includes(late ?? 0)).toBe(false);
      expect(await found({ q: '100% disc' })).toEqual([plain]);
      expect(await found({ q: 'PLAIN@' })).toEqual([plain]);
      expect(await found({ q: 'no such' })).toEqual([]);
      expect(await found({ status: ['bounced'], type: ['marketing'] })).toEqual([]);
    });
  });

  describe('contacts', () => {
    it('are found by part of the address or name, by status and by exact tag', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      await store.commit([
        contact(live, { email: 'Ann@Shop.example', name: 'Ann Smith', tags: ['VIP', 'say "hi"'] }),
        contact(live, { email: 'bob@shop.example', name: null as never, tags: ['vip-2'], status: 'bounced' }),
      ]);
      const found = async (filter: Parameters<Store['contacts']['contacts']>[2]) =>
        (await store.contacts.contacts(live, { limit: 9, after: null }, filter)).rows.map((row) => row.email);
      expect(await found({ q: 'SMITH' })).toEqual(['Ann@Shop.example']);
      expect(await found({ q: 'ann@' })).toEqual(['Ann@Shop.example']);
      expect(await found({ status: ['bounced'] })).toEqual(['bob@shop.example']);
      expect(await found({ tag: 'VIP' })).toEqual(['Ann@Shop.example']);
      expect(await found({ tag: 'vip' })).toEqual([]);
      expect(await found({ tag: 'say "hi"' })).toEqual(['Ann@Shop.example']);
    });

    it('personalize from the tenant’s own contact before the workspace’s, never from a sibling’s', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const email = 'ann@x.example';
      await store.commit([
        contact(live, { email, name: 'workspace' }),
        contact(live, { email, name: 'a', subTenantId: 'tnt_a' }),
      ]);
      const nameFor = async (subTenantId: string | null) =>
        (await store.contacts.contactByAddress({ ...live, subTenantId }, email))?.name;
      expect(await nameFor(null)).toBe('workspace');
      expect(await nameFor('tnt_a')).toBe('a');
      expect(await nameFor('tnt_b')).toBe('workspace');
    });
  });

  describe('templates', () => {
    it('of the workspace are found by everyone and those of a tenant by the tenant, by list, id and slug', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const foreign = await newWorld(store);
      await store.commit([
        ...templatePlan(live, null, 'welcome'),
        ...templatePlan(live, 'tnt_a', 'welcome'),
        ...templatePlan(live, 'tnt_b', 'receipt'),
      ]);
      const seen = async (scope: Scope) =>
        (await allPages((page) => store.templates.templates(scope, page), 1)).map((row) => row.sub_tenant_id);
      expect(new Set(await seen(live))).toEqual(new Set(['tnt_a', 'tnt_b', null]));
      expect(new Set(await seen({ ...live, subTenantId: 'tnt_a' }))).toEqual(new Set(['tnt_a', null]));
      expect(await seen(foreign.live)).toEqual([]);
      const bySlug = async (subTenantId: string | null, slug: string) =>
        (await store.templates.templateBySlug({ ...live, subTenantId }, slug))?.sub_tenant_id;
      expect(await bySlug(null, 'welcome')).toBeNull();
      expect(await bySlug('tnt_a', 'welcome')).toBe('tnt_a');
      expect(await bySlug('tnt_b', 'welcome')).toBeNull();
      expect(await bySlug('tnt_a', 'receipt')).toBeUndefined();
      expect(await bySlug(null, 'receipt')).toBeUndefined();
    });
  });

  describe('sub-tenants', () => {
    it('page, filter, and are one for a pinned scope', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const foreign = await newWorld(store);
      const ids = Array.from({ length: 5 }, (_, i) => newId('tnt', NOW + i));
      await store.commit(ids.flatMap((id) => tenantPlan(live, id)));
      const seen = async (scope: Scope) =>
        (await allPages((page) => store.tenants.subTenants(scope, page, {}), 2)).map((row) => row.id);
      expect(await seen(live)).toEqual([...ids].reverse());
      const [first = '', second = ''] = ids;
      const pinned = { ...live, subTenantId: first };
      expect(await seen(pinned)).toEqual([first]);
      expect(await store.tenants.subTenant(pinned, second)).toBeNull();
      expect(await store.tenants.subTenant(foreign.live, first)).toBeNull();
      expect(await seen(foreign.live)).toEqual([]);
      const filter = { externalId: `ext-${second}`, status: ['verified' as const] };
      const page = await store.tenants.subTenants(live, { limit: 9, after: null }, filter);
      expect(page.rows.map((row) => row.id)).toEqual([second]);
    });
  });

  describe('suppressions', () => {
    it('block by the workspace’s rows and the tenant’s own', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const rowFor = (key: string, email: string): Change =>
        suppress({
          row: {
            id: newId('sup', NOW),
            environment_id: live.environmentId,
            sub_tenant_key: key,
            email,
            email_key: email,
            reason: 'bounce',
            message_public_id: null,
            reply: null,
            created_at: NOW,
          },
        });
      await store.commit([rowFor('', 'all@x.example'), rowFor('tnt_a', 'a@x.example')]);
      const blocked = async (scope: Scope) =>
        (await store.suppressions.suppressionsOf(scope, ['all@x.example', 'a@x.example'])).map(
          (row) => row.email,
        );
      expect(await blocked(live)).toEqual(['all@x.example']);
      expect((await blocked({ ...live, subTenantId: 'tnt_a' })).sort()).toEqual([
        'a@x.example',
        'all@x.example',
      ]);
      expect(await blocked({ ...live, subTenantId: 'tnt_b' })).toEqual(['all@x.example']);
      expect(await blocked(test)).toEqual([]);
    });
  });

  describe('API keys', () => {
    it('open the scope of their environment until they are revoked', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const { change, id, row } = planApiKey(
        {
          environmentId: test.environmentId,
          mode: 'test',
          name: 'k',
          permission: 'send',
          subTenantId: 'tnt_a',
          allowedIps: ['192.0.2.0/24'],
        },
        NOW,
      );
      await store.commit([change]);
      const hash = row.secret_hash;
      expect(await store.accounts.credential(hash)).toEqual({
        keyId: id,
        maker: null,
        permission: 'send',
        allowedIps: ['192.0.2.0/24'],
        expiresAt: null,
        apiVersion: null,
        sesSecretSealed: null,
        policy: null,
        scope: { ...test, subTenantId: 'tnt_a' },
      });
      expect(await store.accounts.apiKey(live, id)).toMatchObject({ mode: 'test' });
      await store.commit([update(apiKeys, { set: { revoked_at: NOW }, where: { id } })]);
      expect(await store.accounts.credential(hash)).toBeNull();
      expect(await store.accounts.apiKey(live, id)).toBeNull();
      expect(await store.accounts.credential(Buffer.alloc(32))).toBeNull();
    });
  });
}
