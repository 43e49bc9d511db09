// The program with a verified sender domain, and the rows that tests of messages need, for tests that bypass the API.
import type { AuditTrail, MessageObject } from '../../src/messages/message.schema.js';
import type { ErrorBody } from '../../src/contract/error-body.js';
import type { Mode } from '../../src/contract/names.js';
import { addressKey } from '../../src/lib/mime/index.js';
import { newId } from '../../src/lib/runtime/index.js';
import { type Organization, organizations } from '../../src/accounts/accounts.tables.js';
import { senders } from '../../src/domains/domains.tables.js';
import { subTenants, tenantReputations } from '../../src/tenants/tenants.tables.js';
import type { ContactTable } from '../../src/contacts/contacts.tables.js';
import { senderRow, signingKey, subTenantRow } from './domain-rows.js';
import { fixedClock, type FixedClock } from './fixed-clock.js';
import { assembleProgram, MASTER_KEY, type ProgramOptions, type TestProgram } from './program.js';
import type { Change } from '../../src/database/change.js';
import { insert, update } from '../../src/database/rows.js';
import { putContact } from '../../src/contacts/contact-changes.store.js';
import { templates, templateVersions } from '../../src/templates/templates.tables.js';
import { suppress } from '../../src/suppressions/suppression-changes.store.js';

export { MASTER_KEY, TOKEN_KEY } from './program.js';
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

/** All fields that responses of the message routes can have; each test knows which of them to expect. */
type AnswerBody = Omit<Required<MessageObject>, 'error'> &
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

/** A rig that shares its program and clock, in a separate organization. */
interface Beside {
  beside?: { clock: FixedClock; program: TestProgram };
}

/** Columns of a contact, with tags and metadata before serialization. */
export type ContactFields = Partial<Omit<ContactTable, 'number' | 'tags' | 'metadata'>> & {
  tags?: readonly string[];
  metadata?: object;
};

export type MessageRigOptions = Omit<ProgramOptions, 'clock' | 'beside'> & Beside;

/** With a verified sender domain sender.example. The clock stands still until it is moved. */
export async function startMessageRig({ beside, ...options }: MessageRigOptions = {}) {
  const clock = beside?.clock ?? fixedClock();
  const program = await assembleProgram({
    ...options,
    ...(beside ? { beside: beside.program } : {}),
    settings: { requestLogKeepMs: 0, ...options.settings },
    clock: clock.now,
  });
  const { workspaceId, organizationId, scopeOf, config, woken } = program;
  const keys = { live: program.liveKey, test: program.testKey };

  /** With the test key by default; '' for none. */
  async function ask(
    method: string,
    url: string,
    request: { key?: string; body?: unknown; raw?: string | Buffer; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const answer = await program.ask(method, url, {
      key: request.key ?? keys.test,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...request.headers },
      ...(body === undefined ? {} : { body }),
    });
    return { ...answer, json: answer.json as AnswerBody };
  }

  const commit = (...plan: Change[]) => program.commit(...plan);

  const rig = {
    ...{ program, clock, config, woken, keys, workspaceId, scopeOf, ask, commit },
    proofKey: program.keys.proofKeys.active,
    get store() {
      return program.store;
    },
    get submission() {
      return program.parts.api.submission;
    },
    get renderer() {
      return program.parts.api.renderer;
    },
    get app() {
      return program.app;
    },
    raw: program.raw,

    /** POST /v1/messages with the required fields, overridden by `fields`. Uses the test key by default. */
    send: (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}, key = keys.test) =>
      ask('POST', '/v1/messages', { key, headers, body: { ...MINIMAL, ...fields } }),

    /** How many rows each table of mail has. */
    async counts(): Promise<Record<string, number>> {
      const counts: Record<string, number> = {};
      for (const table of COUNTED) {
        counts[table] = Number((await program.raw(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.['n']);
      }
      return counts;
    },

    async addTenant(fields: Parameters<typeof subTenantRow>[2] = {}): Promise<string> {
      const row = subTenantRow(workspaceId, clock.now(), { ...UNCHECKED, ...fields });
      await commit(insert(subTenants, { row }));
      return row.id;
    },

    async pauseTenant(id: string, mode: Mode): Promise<void> {
      const { environmentId } = await scopeOf(mode);
      const sums = { sent: 0, delivered: 0, bounced: 0, complained: 0 };
      await program.store.reputations.record(environmentId, [{ subTenantId: id, ...sums }], clock.now());
      const where = { environment_id: environmentId, sub_tenant_id: id };
      await commit(update(tenantReputations, { set: { paused_at: clock.now() }, where }));
    },

    async addSender(fields: Parameters<typeof senderRow>[2]): Promise<string> {
      const row = senderRow(workspaceId, clock.now(), { ...UNCHECKED, ...fields });
      await commit(insert(senders, { row }));
      return row.id;
    },

    /** A verified sender domain with its own active key. */
    async addSigningDomain(domain: string): Promise<void> {
      const ownerId = await rig.addSender({ kind: 'domain', identity: domain });
      const key = { ownerId, domain, algorithm: 'ed25519-sha256' } as const;
      const { change } = await signingKey(key, MASTER_KEY, clock.now());
      await commit(change);
    },

    async addContact(
      email: string,
      { tags = [], metadata = {}, ...fields }: ContactFields = {},
      mode: Mode = 'live',
    ): Promise<string> {
      const now = clock.now();
      const row = {
        ...CONTACT,
        id: newId('cnt', now),
        environment_id: (await scopeOf(mode)).environmentId,
        email,
        email_key: addressKey(email),
        tags: JSON.stringify(tags),
        metadata: JSON.stringify(metadata),
        ...fields,
      };
      await commit(
        putContact({ row: { ...row, created_at: now, updated_at: now }, ifKnown: { code: 'conflict' } }),
      );
      return row.id;
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
        insert(templates, {
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
        }),
        insert(templateVersions, {
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
        }),
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
      await commit(
        suppress({
          row: {
            id: newId('sup', now),
            environment_id: environmentId,
            sub_tenant_key: tenant,
            email,
            email_key: addressKey(email),
            reason,
            message_public_id: null,
            reply: JSON.stringify({ code: 550, enhanced_code: '5.1.1', message: `<${email}> is unknown` }),
            created_at: now,
          },
        }),
      );
    },

    async setOrganization(set: Partial<Omit<Organization, 'id'>>): Promise<void> {
      await commit(update(organizations, { set, where: { id: organizationId } }));
    },

    addKey: (mode: Mode, subTenantId: string) => program.addKey({ mode, permission: 'send', subTenantId }),

    /** Closes everything and opens the file again. */
    restart: program.restart,
    close: program.close,
  };

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

const UNCHECKED = { verified_at: null, last_checked_at: null };
const CONTACT = {
  sub_tenant_id: null,
  name: null,
  phone: null,
  status: 'active',
} as const;
