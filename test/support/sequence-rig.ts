// The program's sequences, driven run by run, and the API before them; nothing is delivered.
import { addressKey } from '../../src/lib/mime/index.js';
import type { TrailEvent } from '../../src/contract/names.js';
import { compilePlans, type PlanLimits } from '../../src/accounts/quota.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { createLog, newId } from '../../src/lib/runtime/index.js';
import type { DividedRoom } from '../../src/lib/concurrency/index.js';
import type { Scope } from '../../src/database/scope.js';
import { createQuotaCheck } from '../../src/messages/accept/quota-check.js';
import { Sequences } from '../../src/sequences/sequences.js';
import { fixedClock } from './fixed-clock.js';
import type { Beside } from './message-rig.js';
import { assembleProgram, TOKEN_KEY, type TestProgram } from './program.js';
import { organizations } from '../../src/accounts/accounts.tables.js';
import { update, insert } from '../../src/database/rows.js';
import { templates, templateVersions } from '../../src/templates/templates.tables.js';
import { putContact } from '../../src/contacts/contact-changes.store.js';
import { appendEvent } from '../../src/events/append.store.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';

export const HOUR = 3_600_000;

export interface SequenceRigOptions extends Beside {
  batch?: number;
  maxSteps?: number;
  minIntervalMs?: number;
}

/** Sequences of another process on the same store, or under other plans. */
export function otherSequences(
  { store, config, clock, parts }: Pick<TestProgram, 'store' | 'config' | 'clock' | 'parts'>,
  plans: ReadonlyMap<string, PlanLimits> = compilePlans(readShipped('plans')),
  room?: DividedRoom,
): Sequences {
  return new Sequences({
    ...{ store, clock, config, tokenKey: TOKEN_KEY },
    renderer: parts.api.renderer,
    quota: createQuotaCheck(plans),
    room,
    log: createLog('silent'),
    wakeUps: { queue: () => undefined, events: () => undefined },
  });
}

export type SequenceRig = Awaited<ReturnType<typeof startSequenceRig>>;

/** With a postal address and the template `hello`; in the sandbox unless said otherwise. */
export async function startSequenceRig(options: SequenceRigOptions = {}) {
  const clock = options.beside?.clock ?? fixedClock();
  const api = await assembleProgram({
    ...(options.beside ? { beside: options.beside.program } : {}),
    clock: clock.now,
    settings: {
      sequenceBatch: options.batch ?? 100,
      sequenceMaxSteps: options.maxSteps ?? 1000,
      sequenceMinIntervalMs: options.minIntervalMs ?? 0,
    },
  });
  const { store, workspaceId, organizationId } = api;
  const { sequences } = api.parts.api.audience;
  const scope = await api.scopeOf('test');

  async function setPostalAddress(address: string | null): Promise<void> {
    const set = { postal_address: address };
    await store.commit([update(organizations, { set, where: { id: organizationId } })]);
  }

  async function addTemplate(slug: string, html: string, subject = 'Hello {{first_name}}'): Promise<void> {
    const now = clock.now();
    const id = newId('tpl', now);
    const times = { created_at: now, updated_at: now, deleted_at: null };
    const own = {
      // Both environments use live templates.
      environment_id: (await api.scopeOf('live')).environmentId,
      sub_tenant_id: null,
      slug,
      name: slug,
      type: 'any' as const,
    };
    await store.commit([
      insert(templates, { row: { id, ...own, version: 1, ...times } }),
      insert(templateVersions, {
        row: {
          template_id: id,
          version: 1,
          subject,
          html,
          text: null,
          inline_css: 0,
          design: null,
          created_at: now,
        },
      }),
    ]);
  }

  await setPostalAddress('1 Main Street');
  await addTemplate('hello', '<p>Hello {{first_name}}{{#if plan}}, {{plan}}{{/if}}</p>');

  const rig = {
    ...api,
    clock,
    program: api,
    sequences,
    scope,
    setPostalAddress,
    addTemplate,

    ask: (method: string, url: string, body?: unknown, key = api.testKey) =>
      api.ask(method, url, { key, ...(body === undefined ? {} : { body }) }),

    /** The id of a new sequence. */
    async addSequence(body: Record<string, unknown>): Promise<string> {
      const trigger = { type: 'manual' };
      const answer = await rig.ask('POST', '/v1/sequences', { name: 'A sequence', trigger, ...body });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json.id as string;
    },

    /** By the change that imports and the API use, so that triggers are pulled. */
    async addContact(
      email: string,
      fields: { name?: string; tags?: string[]; scope?: Scope } = {},
    ): Promise<string> {
      const now = clock.now();
      const id = newId('cnt', now);
      const { environmentId, subTenantId } = fields.scope ?? scope;
      await store.commit([
        putContact({
          ifKnown: { code: 'conflict' },
          row: {
            id,
            environment_id: environmentId,
            sub_tenant_id: subTenantId,
            email,
            email_key: addressKey(email),
            name: fields.name ?? null,
            phone: null,
            tags: JSON.stringify(fields.tags ?? []),
            metadata: '{}',
            status: 'active',
            created_at: now,
            updated_at: now,
          },
        }),
      ]);
      return id;
    },

    async enroll(sequenceId: string, email: string, variables: object = {}): Promise<string> {
      const answer = await rig.ask('POST', `/v1/sequences/${sequenceId}/enroll`, { email, variables });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json.id as string;
    },

    /** Beats until nothing is due and no event is unread. */
    async settle(): Promise<void> {
      for (let i = 0; i < 100; i++) {
        const hasMore = [await rig.sequences.follow(), await rig.sequences.step()];
        if (!hasMore.some(Boolean)) return;
      }
      throw new Error('It does not come to rest.');
    },

    async messages(sequenceId: string) {
      const page = await store.messages.messages(scope, { limit: 100, after: null }, {});
      return page.rows.filter((row) => row.sequence_id === sequenceId).reverse();
    },

    /** An event of a message, as delivery and tracking write them. */
    async happens(
      publicId: string,
      event: TrailEvent,
      metadata: Record<string, unknown> = {},
    ): Promise<void> {
      const message = await store.messages.message(scope, publicId);
      if (!message) throw new Error(`There is no message ${publicId}.`);
      await store.commit([
        appendEvent({
          event: {
            environmentId: scope.environmentId,
            workspaceNumber: scope.workspaceNumber,
            messageId: message.id,
            subjectId: publicId,
            event,
            actor: 'recipient',
            occurredAt: clock.now(),
            ...(Object.keys(metadata).length > 0 ? { detail: { metadata } } : {}),
          },
        }),
      ]);
    },

    /** An answer to a message of ours, as the mail that comes in makes it. */
    async answers(publicId: string, autoReply: string | null = null): Promise<void> {
      const answered = await store.messages.message(scope, publicId);
      if (!answered) throw new Error(`There is no message ${publicId}.`);
      const now = clock.now();
      const { id: answeredId, ...row } = answered;
      const own = {
        public_id: newId('msg', now),
        status: 'received' as const,
        sequence_id: null,
        variant: null,
      };
      const received = {
        in_reply_to_id: answeredId,
        auto_reply: autoReply,
        visible_text: 'Yes.',
        visible_html: null,
        quoted_text: null,
        signature: null,
        authentication: null,
        envelope: '{}',
        references_list: '[]',
        problems: '[]',
      };
      const lists = { to_list: '[]', cc_list: '[]', headers: '[]' };
      const content = {
        rfc_message_id: `${own.public_id}@x.example`,
        ...lists,
        html: null,
        text: 'Yes.',
        raw_id: null,
      };
      const { environmentId, workspaceNumber } = scope;
      const place = { environmentId, workspaceNumber, subjectId: own.public_id, occurredAt: now };
      await store.commit([
        acceptMessage({
          message: {
            row: { ...row, ...own, created_at: now, updated_at: now },
            workspaceId,
            content: { kind: 'new', row: content, attachments: [] },
            tags: [],
            idempotency: null,
            queue: null,
            usageDay: null,
            received,
            events: [{ ...place, event: 'received', actor: 'recipient' }],
          },
        }),
      ]);
    },

    async enrollments(sequenceId: string, query = '') {
      const answer = await rig.ask('GET', `/v1/sequences/${sequenceId}/enrollments${query}`);
      return answer.json.data as {
        id: string;
        email: string;
        status: string;
        exit_reason: string | null;
        step: string | null;
        next_at: string | null;
        waits_for: string | null;
      }[];
    },
  };
  return rig;
}
