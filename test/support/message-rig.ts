// The message routes on a real database file, with the real renderer: for tests that look behind the API at the rows.
import type { Insertable } from 'kysely';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { createCredentialCache } from '../../src/accounts/api-keys/credential-cache.js';
import { createCursors } from '../../src/api/cursors.js';
import { createApiServer } from '../../src/app/http-server.js';
import { contactEraseRoutes } from '../../src/contacts/erase.routes.js';
import { messageFileRoutes } from '../../src/messages/files.routes.js';
import { messageRoutes } from '../../src/messages/messages.routes.js';
import { proofRoutes } from '../../src/messages/proof/proof.routes.js';
import { threadRoutes } from '../../src/inbound/threads/threads.routes.js';
import type { ErrorBody } from '../../src/contract/error-body.js';
import type { AuditTrail, MessageObject } from '../../src/messages/message.schema.js';
import type { Mode } from '../../src/contract/names.js';
import { addressKey } from '../../src/lib/mime/address.js';
import type { ProofSigningKey } from '../../src/messages/proof/proof.rules.js';
import { compilePlans } from '../../src/accounts/quota.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { newId } from '../../src/lib/runtime/ids.js';
import { createLog } from '../../src/lib/runtime/log.js';
import { generateDkimKey, sealSecret, dkimKeyContext } from '../../src/lib/runtime/secrets.js';
import type { Change } from '../../src/store/plan.js';
import type { Scope } from '../../src/store/scope.js';
import { createStore } from '../../src/store/store.js';
import { planApiKey } from '../../src/accounts/api-keys/api-key-plan.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { createErase } from '../../src/contacts/erase.js';
import { createSigningKeys } from '../../src/outbound/deliver/signing-keys.js';
import { createAccept } from '../../src/messages/accept/accept.js';
import { createRawMessages } from '../../src/outbound/deliver/raw-message.js';
import { createQuotaCheck } from '../../src/messages/accept/quota-check.js';
import { createReconsider } from '../../src/messages/reconsider.js';
import { createRenderer } from '../../src/messages/rendering/renderer.js';
import { fixedClock } from './fixed-clock.js';
import { openMigratedFile, temporaryFolder } from './open-engines.js';
import type { OrganizationTable } from '../../src/accounts/accounts.tables.js';
import type { SenderTable } from '../../src/domains/domains.tables.js';
import type { SubTenantTable } from '../../src/tenants/tenants.tables.js';
import type { ContactTable } from '../../src/contacts/contacts.tables.js';

export const TOKEN_KEY = { id: 1, secret: Buffer.alloc(32, 7) };
export const MASTER_KEY = Buffer.alloc(32, 9);
const COUNTED = [
  'messages',
  'contents',
  'attachments',
  'blobs',
  'message_tags',
  'idempotency_keys',
  'queue',
  'events',
  'usage',
];

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  json: AnswerBody;
}

/** Every field that some answer of the message routes has; each test knows which of them its answer should have. */
export type AnswerBody = Omit<Required<MessageObject>, 'error'> &
  ErrorBody & {
    data: AnswerBody[];
    has_more: boolean;
    next_cursor: string | null;
    trail: AuditTrail['trail'];
    bundle: Record<string, unknown>;
    signature: string;
    attestation: object;
    valid: boolean;
    keys: object[];
  };

export type MessageRig = Awaited<ReturnType<typeof startMessageRig>>;

/** With a verified sender domain sender.example. The clock stands still until it is moved. */
export async function startMessageRig() {
  const folder = temporaryFolder();
  const file = join(folder.path, 'posthorn.db');
  const clock = fixedClock();
  const rung = { lanes: [] as number[], events: 0 };
  const proofKey = newProofKey();
  const sandboxProofKey = { ...newProofKey(), keyId: 'sandbox', isSandbox: true };
  const config = {
    publicUrl: 'https://mail.example.test',
    bounceDomain: 'bounce.example.test',
    inboundDomain: 'in.platform.example',
    hostname: 'mx.platform.example',
    replyAddresses: true,
    relayReplyAddresses: false,
    messageSizeLimitBytes: 35 * 1024 * 1024,
    attachmentLimit: 50,
    recipientLimit: 50,
    batchLimit: 1000,
    queueLifetimeMs: 172_800_000,
    marketingQueueLifetimeMs: 129_600_000,
    messageBodyLimitBytes: 30 * 1024 * 1024,
    bodyLimitBytes: 1024 * 1024,
    importBodyLimitBytes: 50 * 1024 * 1024,
    rateLimitLivePerMinute: 0,
    rateLimitTestPerMinute: 0,
    rateLimitAuthFailuresPerMinute: 0,
    sessionLifetimeMs: 86_400_000,
    sessionIdleMs: 3_600_000,
    keyOverlapMs: 86_400_000,
    workspaceLimit: 1000,
    requestLogKeepMs: 0,
    bodiesInFlightBytes: 128 * 1024 * 1024,
    httpConnections: 5000,
  };

  async function open() {
    const opened = await openMigratedFile(file);
    const store = createStore(opened.engine, { maxGroup: 200 });
    const renderer = createRenderer({ threads: 1 });
    const wakeUps = {
      queue: (queueIds: readonly number[]) => void rung.lanes.push(...queueIds),
      events: () => void (rung.events += 1),
    };
    const quota = createQuotaCheck(compilePlans(readShipped('plans')));
    const shared = { store, clock: clock.now, wakeUps };
    const submission = createAccept({ ...shared, renderer, quota, config, tokenKey: TOKEN_KEY });
    const reconsider = createReconsider({ ...shared, lifetimes: config });
    const rawMessage = createRawMessages({
      store,
      signingKeys: createSigningKeys(store, MASTER_KEY, clock.now),
      settings: { ...config, tokenKey: TOKEN_KEY },
    });
    const app = await createApiServer({
      ...shared,
      credentials: createCredentialCache(store, { ttlMs: 5000 }),
      log: createLog('silent'),
      settings: { ...config, trustedProxies: [] },
      masterKey: Buffer.alloc(32, 3),
      cursors: createCursors(Buffer.alloc(32, 5)),
      tokenKeys: [TOKEN_KEY],
      routes: [
        (api) => messageRoutes(api, { store, submission, reconsider, rawMessage, settings: config }),
        (api) => messageFileRoutes(api, { store }),
        (api) => contactEraseRoutes(api, { store, erase: createErase({ store, clock: clock.now, wakeUps }) }),
        (api) => threadRoutes(api, { store, submission, clock: clock.now, settings: config }),
        (api) =>
          proofRoutes(api, {
            verificationsPerMinute: 300,
            store,
            proofKeys: { active: proofKey, all: [proofKey], sandbox: sandboxProofKey },
            clock: clock.now,
          }),
      ],
    });
    await app.ready();
    return { opened, store, renderer, submission, app };
  }

  let running = await open();
  const first = await bootstrap(running.store, { clock: clock.now });
  const { workspaceId, organizationId } = first;
  const keys = { live: first.liveKey ?? '', test: first.testKey ?? '' };

  async function scopeOf(mode: Mode, subTenantId: string | null = null): Promise<Scope> {
    return { ...(await running.store.accounts.environmentOf(workspaceId, mode)), subTenantId };
  }

  async function ask(
    method: string,
    url: string,
    request: { key?: string; body?: unknown; raw?: string | Buffer; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const payload = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const response = await running.app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(request.key === '' ? {} : { authorization: `Bearer ${request.key ?? keys.test}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json: (isJson ? JSON.parse(response.body) : null) as AnswerBody,
    };
  }

  const commit = (...plan: Change[]) => running.store.commit(plan);

  const rig = {
    clock,
    config,
    rung,
    keys,
    workspaceId,
    proofKey,
    scopeOf,
    ask,
    commit,
    get store() {
      return running.store;
    },
    get submission() {
      return running.submission;
    },
    get renderer() {
      return running.renderer;
    },
    get app() {
      return running.app;
    },
    raw: (statement: string, values: (string | number | null)[] = []) =>
      running.opened.raw(statement, values),

    /** POST /v1/messages with what is needed, and `fields` over it. The test key unless another is named. */
    send: (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}, key = keys.test) =>
      ask('POST', '/v1/messages', { key, headers, body: { ...MINIMAL, ...fields } }),

    /** How many rows each table of mail has. */
    async counts(): Promise<Record<string, number>> {
      const counts: Record<string, number> = {};
      for (const table of COUNTED) {
        counts[table] = Number((await running.opened.raw(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.['n']);
      }
      return counts;
    },

    async addTenant(fields: Partial<Insertable<SubTenantTable>> = {}): Promise<string> {
      const now = clock.now();
      const row = { ...TENANT, id: newId('tnt', now), workspace_id: workspaceId, ...fields };
      await commit({
        kind: 'insert',
        into: 'sub_tenants',
        row: { ...row, created_at: now, updated_at: now },
      });
      return row.id;
    },

    async pauseTenant(id: string, mode: Mode): Promise<void> {
      const { environmentId } = await scopeOf(mode);
      const sums = { sent: 0, delivered: 0, bounced: 0, complained: 0 };
      await running.store.reputations.record(environmentId, [{ subTenantId: id, ...sums }], clock.now());
      const where = { environment_id: environmentId, sub_tenant_id: id };
      await commit({ kind: 'update', table: 'tenant_reputations', set: { paused_at: clock.now() }, where });
    },

    async addSender(fields: Partial<Insertable<SenderTable>>): Promise<string> {
      const now = clock.now();
      const row = { ...SENDER, id: newId('snd', now), workspace_id: workspaceId, ...fields };
      await commit({ kind: 'insert', into: 'senders', row: { ...row, created_at: now, updated_at: now } });
      return row.id;
    },

    /** A verified sender domain with an active key of its own. */
    async addSigningDomain(domain: string): Promise<void> {
      const ownerId = await rig.addSender({ kind: 'domain', identity: domain });
      const now = clock.now();
      const id = newId('key', now);
      const { privateKeyDer } = await generateDkimKey('ed25519-sha256');
      await commit({
        kind: 'insert',
        into: 'dkim_keys',
        row: {
          id,
          owner_id: ownerId,
          domain,
          selector: 's1',
          algorithm: 'ed25519-sha256',
          private_key_sealed: sealSecret(MASTER_KEY, privateKeyDer, dkimKeyContext(id)),
          record_value: '',
          state: 'active',
          created_at: now,
        },
      });
    },

    async addContact(
      email: string,
      fields: Partial<Omit<ContactTable, 'number'>> = {},
      mode: Mode = 'live',
    ): Promise<void> {
      const now = clock.now();
      const row = {
        ...CONTACT,
        id: newId('cnt', now),
        environment_id: (await scopeOf(mode)).environmentId,
        email,
        email_key: addressKey(email),
        ...fields,
      };
      await commit({
        kind: 'put-contact',
        row: { ...row, created_at: now, updated_at: now },
        ifKnown: { code: 'conflict' },
      });
    },

    async addTemplate(
      slug: string,
      content: { subject?: string; html?: string; text?: string; type?: 'marketing' | 'any' },
      tenant: string | null = null,
    ): Promise<string> {
      const now = clock.now();
      const id = newId('tpl', now);
      const { type = 'any', subject = null, html = null, text = null } = content;
      const times = { created_at: now, updated_at: now, deleted_at: null };
      await commit(
        {
          kind: 'insert',
          into: 'templates',
          row: {
            id,
            environment_id: (await scopeOf('live')).environmentId,
            sub_tenant_id: tenant,
            slug,
            name: slug,
            type,
            version: 1,
            ...times,
          },
        },
        {
          kind: 'insert',
          into: 'template_versions',
          row: {
            template_id: id,
            version: 1,
            subject,
            html,
            text,
            inline_css: 0,
            design: null,
            created_at: now,
          },
        },
      );
      return id;
    },

    async suppress(
      mode: Mode,
      email: string,
      reason: 'bounce' | 'complaint' | 'manual' | 'unsubscribe',
      tenant = '',
    ): Promise<void> {
      const { environmentId } = await scopeOf(mode);
      const now = clock.now();
      await commit({
        kind: 'insert',
        into: 'suppressions',
        row: {
          id: newId('sup', now),
          environment_id: environmentId,
          sub_tenant_key: tenant,
          email,
          email_key: addressKey(email),
          reason,
          message_public_id: null,
          created_at: now,
        },
      });
    },

    async setOrganization(set: Partial<Omit<OrganizationTable, 'id'>>): Promise<void> {
      await commit({ kind: 'update', table: 'organizations', set, where: { id: organizationId } });
    },

    async addKey(mode: Mode, subTenantId: string): Promise<string> {
      const { environmentId } = await scopeOf(mode);
      const key = { environmentId, mode, name: 'pinned', permission: 'send', subTenantId } as const;
      const { secret, change } = planApiKey(key, clock.now());
      await commit(change);
      return secret;
    },

    /** Closes everything and opens the file again. */
    async restart(): Promise<void> {
      await stop();
      running = await open();
    },

    async close(): Promise<void> {
      await stop();
      folder.remove();
    },
  };

  async function stop(): Promise<void> {
    await running.app.close();
    await running.renderer.close();
    await running.store.drain();
    await running.opened.close();
  }

  await rig.addSender({ kind: 'domain', identity: 'sender.example' });
  return rig;
}

export const MINIMAL = {
  to: 'ann@example.com',
  from: 'News <news@sender.example>',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
};

const CHECKED = { verified_at: null, last_checked_at: null, dns_results: null, deleted_at: null };
const TENANT = {
  ...CHECKED,
  name: 'Tenant',
  external_id: null,
  sending_domain: 'tenant.example',
  status: 'verified',
  return_path_ok: 0,
  inbound_ok: 0,
  tracking_ok: 0,
} as const;
const SENDER = {
  ...CHECKED,
  sub_tenant_id: null,
  kind: 'address',
  identity: 'news@other.example',
  name: null,
  status: 'verified',
  is_default: 0,
  confirmation_hash: null,
  confirmation_expires_at: null,
  return_path_ok: 0,
  inbound_ok: 0,
  tracking_ok: 0,
} as const;
const CONTACT = {
  sub_tenant_id: null,
  name: null,
  phone: null,
  tags: '[]',
  metadata: '{}',
  status: 'active',
} as const;

function newProofKey(): ProofSigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { keyId: 'k1', privateKey, publicKey, createdAt: '2026-01-01T00:00:00.000Z', retiredAt: null };
}
