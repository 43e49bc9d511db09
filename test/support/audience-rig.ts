// The message rig with an audience: lists and sign-up, campaigns and sequences that are driven run by run, imports and exports.
// Nothing is delivered.
import { compilePlans, type PlanLimits } from '../../src/accounts/quota.rules.js';
import { campaigns, type Campaign, type CampaignTable } from '../../src/campaigns/campaigns.tables.js';
import type { CampaignContext } from '../../src/campaigns/context.js';
import { Campaigns } from '../../src/campaigns/run/campaigns.js';
import { CampaignRunner } from '../../src/campaigns/run/runner.js';
import { joinList } from '../../src/contacts/contact-changes.store.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import type { Mode, TrailEvent } from '../../src/contract/names.js';
import { insert } from '../../src/database/rows.js';
import type { Scope } from '../../src/database/scope.js';
import { appendEvent } from '../../src/events/append.store.js';
import type { DividedRoom } from '../../src/lib/concurrency/index.js';
import { addressKey } from '../../src/lib/mime/index.js';
import { createLog, newId } from '../../src/lib/runtime/index.js';
import { createOpenTokens } from '../../src/lib/secrets/index.js';
import { Unsubscribes } from '../../src/lists/preferences/unsubscribe.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { createQuotaCheck } from '../../src/messages/accept/quota-check.js';
import { Sequences } from '../../src/sequences/sequences.js';
import { readShipped } from '../../src/settings/shipped.js';
import { CAMPAIGN, LIST } from './audience-rows.js';
import { CONSENT } from './consent.js';
import {
  startMessageRig,
  type ContactFields,
  type MessageRig,
  type MessageRigOptions,
} from './message-rig.js';
import { MASTER_KEY, TOKEN_KEY, type ProgramAnswer, type ProgramRequest } from './program.js';
import { waitFor } from './wait.js';

/** No rate limits, and every step of a sequence follows immediately. */
const SETTINGS = { signUpRate: 0, sequenceBatch: 100, sequenceMaxSteps: 1000, sequenceMinIntervalMs: 0 };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface AudienceRigOptions extends MessageRigOptions {
  /** Of the calling key, the contacts and the sequences. Default: live. */
  mode?: Mode;
  /** Whether imports and exports run; the default is that of `beside`. */
  runsTransfers?: boolean;
}

export type AudienceRig = Awaited<ReturnType<typeof startAudienceRig>>;

/** With a default sender, a postal address and the template `hello`. */
export async function startAudienceRig(options: AudienceRigOptions = {}) {
  const { mode = 'live', runsTransfers = false, ...others } = options;
  const rig = await startMessageRig({ ...others, settings: { ...SETTINGS, ...options.settings } });
  await rig.addSender({ identity: 'hello@sender.example', is_default: 1 });
  await rig.setOrganization({ postal_address: 'Sender Ltd, 1 High Street, Bremen' });
  await rig.addTemplate('hello', {
    subject: 'Hello {{first_name}}',
    html: '<p>Hello {{first_name}}{{#if plan}}, {{plan}}{{/if}}</p>',
  });
  if (runsTransfers) rig.program.parts.api.audience.transfers.start();

  /** A form is sent as a browser sends it. */
  function ask(
    method: string,
    url: string,
    { form, ...request }: ProgramRequest & { form?: Record<string, string> | URLSearchParams } = {},
  ): Promise<ProgramAnswer> {
    const body = form ? { body: new URLSearchParams(form).toString() } : {};
    const headers = { ...(form ? FORM : {}), ...request.headers };
    return rig.program.ask(method, url, { key: rig.keys[mode], ...request, ...body, headers });
  }

  /** Returns the object that the API created; throws an Error on a refusal. */
  async function made(url: string, request: ProgramRequest): Promise<string> {
    const answer = await ask('POST', url, request);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.id as string;
  }

  const addContact = (email: string, fields: ContactFields = {}, place = mode) =>
    rig.addContact(email, fields, place);

  return {
    ...rig,
    ask,
    addContact,
    ...listsOf(rig, made),
    ...campaignsOf(rig),
    ...sequencesOf(rig, { ask, made, scope: await rig.scopeOf(mode) }),
    ...transfersOf(rig, ask),
  };
}

type Ask = (method: string, url: string, request?: ProgramRequest) => Promise<ProgramAnswer>;
type Make = (url: string, request: ProgramRequest) => Promise<string>;

function listsOf(rig: MessageRig, made: Make) {
  const { store } = rig;
  const clock = rig.clock.now;
  const listOfCampaign = (id: string) => store.campaigns.listOfCampaign(id);
  const unsubscribes = new Unsubscribes({
    store,
    listOfCampaign,
    clock,
    wakeUps: { events: () => undefined },
  });

  return {
    /** A stored text as its recipient reads it. */
    opened: (text: string, email: string) => createOpenTokens(MASTER_KEY)(text, addressKey(email)),

    /** The recipient of a campaign's message leaves its list. */
    leave: (messageId: string) => unsubscribes.leaveList(messageId, {}),

    addList: (fields: Record<string, unknown> = {}, key?: string): Promise<string> =>
      made('/v1/lists', { ...(key === undefined ? {} : { key }), body: { name: 'News', ...fields } }),

    /** Inserts a message as a campaign to the list would; returns its unsubscribe token's id. */
    async campaignMessage(
      listId: string,
      to: string,
      mode: Mode = 'live',
    ): Promise<{ id: string; campaignId: string }> {
      const { environmentId } = await rig.scopeOf(mode);
      const list = await store.lists.listOf(listId);
      if (!list) throw new Error('no such list');
      const campaignId = newId('cmp', clock());
      await rig.commit(
        insert(campaigns, {
          row: { ...CAMPAIGN, id: campaignId, environment_id: environmentId, list_number: list.number },
        }),
      );
      const answer = await rig.send(
        { to, html: '<p><a href="https://shop.example/">Shop</a></p>' },
        {},
        rig.keys[mode],
      );
      await rig.raw('UPDATE messages SET campaign_id = ? WHERE public_id = ?', [campaignId, answer.json.id]);
      return { id: answer.json.id, campaignId };
    },
  };
}

function campaignsOf(rig: MessageRig) {
  /** The context of campaigns; `over` replaces parts of it. */
  function campaignContext(over: Partial<CampaignContext> = {}): CampaignContext {
    const { store, renderer, submission, config, clock } = rig;
    const plans = compilePlans(readShipped('plans'));
    return {
      ...{ store, renderer, submission, plans, tokenKey: TOKEN_KEY, clock: clock.now },
      quota: createQuotaCheck(plans),
      config: { ...config, campaignIntervalMs: 1000, campaignBatch: 20 },
      log: createLog('silent'),
      wakeUps: {
        queue: (mailQueues: readonly number[]) => void rig.woken.queueIds.push(...mailQueues),
        events: () => undefined,
      },
      ...over,
    };
  }

  function openCampaigns(
    campaignBatch = 20,
    room?: DividedRoom,
  ): { campaigns: Campaigns; runner: CampaignRunner } {
    const own = campaignContext({ room });
    const batches = { ...own, config: { ...own.config, campaignBatch } };
    return { campaigns: new Campaigns(batches), runner: new CampaignRunner(batches) };
  }

  /** Creates a list with these contacts, given as addresses or as address and more. */
  async function addListOf(
    contacts: readonly (string | (ContactFields & { email: string }))[],
    subTenantId: string | null = null,
    mode: Mode = 'test',
  ): Promise<{ id: string; number: number }> {
    const now = rig.clock.now();
    const id = newId('lst', now);
    const { environmentId } = await rig.scopeOf(mode);
    await rig.commit(
      insert(contactLists, {
        row: {
          ...LIST,
          id,
          environment_id: environmentId,
          sub_tenant_id: subTenantId,
          name: 'Readers',
          created_at: now,
          updated_at: now,
        },
      }),
    );
    const list = await rig.store.lists.list({ environmentId, subTenantId }, id);
    if (!list) throw new Error('The list is not there.');
    for (const one of contacts) {
      const { email, ...fields } = typeof one === 'string' ? { email: one } : one;
      const contactId = await rig.addContact(email, { ...fields, sub_tenant_id: subTenantId }, mode);
      const consent = { state: 'subscribed', returned: false, consent: CONSENT } as const;
      await rig.commit(joinList({ listNumber: list.number, contactId, ...consent, at: now }));
    }
    return { id, number: list.number };
  }

  async function addCampaign(
    fields: Partial<CampaignTable> & { list_number: number; template_id: string },
  ): Promise<string> {
    const now = rig.clock.now();
    const id = newId('cmp', now);
    const { environmentId } = await rig.scopeOf('test');
    await rig.commit(
      insert(campaigns, {
        row: {
          ...CAMPAIGN,
          status: 'draft',
          id,
          environment_id: environmentId,
          created_at: now,
          updated_at: now,
          ...fields,
        },
      }),
    );
    return id;
  }

  async function campaign(id: string): Promise<Campaign> {
    const found = await rig.store.campaigns.campaign(await rig.scopeOf('test'), id);
    if (!found) throw new Error(`There is no campaign ${id}.`);
    return found;
  }

  /** Beats until nothing more can be done now. */
  async function runToEnd(runner: CampaignRunner): Promise<void> {
    const never = new AbortController().signal;
    for (let run = 0; run < 1000; run++) if (!(await runner.run(never))) return;
    throw new Error('The campaigns do not come to rest.');
  }

  return { campaignContext, openCampaigns, addListOf, addCampaign, campaign, runToEnd };
}

function sequencesOf(rig: MessageRig, { ask, made, scope }: { ask: Ask; made: Make; scope: Scope }) {
  const { store, clock, workspaceId } = rig;
  const { sequences } = rig.program.parts.api.audience;

  return {
    sequences,
    scope,

    /** Sequences of another process on the same store, or under other plans. */
    otherSequences: (
      plans: ReadonlyMap<string, PlanLimits> = compilePlans(readShipped('plans')),
      room?: DividedRoom,
    ): Sequences =>
      new Sequences({
        ...{ store, clock: clock.now, config: rig.config, tokenKey: TOKEN_KEY, room },
        renderer: rig.renderer,
        quota: createQuotaCheck(plans),
        log: createLog('silent'),
        wakeUps: { queue: () => undefined, events: () => undefined },
      }),

    /** The id of a new sequence. */
    addSequence: (body: Record<string, unknown>): Promise<string> =>
      made('/v1/sequences', { body: { name: 'A sequence', trigger: { type: 'manual' }, ...body } }),

    enroll: (sequenceId: string, email: string, variables: object = {}): Promise<string> =>
      made(`/v1/sequences/${sequenceId}/enroll`, { body: { email, variables } }),

    /** Beats until nothing is due and no event is unread. */
    async settle(driven = sequences): Promise<void> {
      for (let i = 0; i < 100; i++) {
        const hasMore = [await driven.follow(), await driven.step()];
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

    /** Receives a reply to a message, as inbound mail does. */
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
      const answer = await ask('GET', `/v1/sequences/${sequenceId}/enrollments${query}`);
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
}

/** Imports and exports send nothing. */
const noMail = () => Promise.reject(new Error('No message is worked on here.'));
export const NO_MAIL = { resend: noMail, cancel: noMail };

function transfersOf({ program, clock }: MessageRig, ask: Ask) {
  const { transfers } = program.parts.api.audience;

  /** A millisecond later than the previous one, because lists of imports are in order of time. */
  function postImport(
    body: unknown,
    { query = '', type = 'text/csv', key }: { query?: string; type?: string; key?: string } = {},
  ): Promise<ProgramAnswer> {
    clock.advance(1);
    const headers = { 'content-type': type };
    return ask('POST', `/v1/imports${query}`, { body, headers, ...(key === undefined ? {} : { key }) });
  }

  /** Waits until the import or export has ended. */
  async function ended(kind: 'imports' | 'exports', id: string) {
    let answer = await ask('GET', `/v1/${kind}/${id}`);
    await waitFor(`${id} has ended`, async () => {
      answer = await ask('GET', `/v1/${kind}/${id}`);
      return answer.json.finished_at !== null;
    });
    return answer.json;
  }

  return {
    transfers,
    postImport,
    ended,

    /** Imports a file and waits; returns the import. */
    async importFile(body: unknown, options: Parameters<typeof postImport>[1] = {}) {
      const answer = await postImport(body, options);
      if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${answer.text}`);
      return ended('imports', answer.json.id as string);
    },

    /** Downloads a file, whose text is not parsed as JSON, regardless of its type. */
    async download(
      url: string,
      { key = program.liveKey, range = '' }: { key?: string; range?: string } = {},
    ) {
      const headers = { authorization: `Bearer ${key}`, ...(range === '' ? {} : { range }) };
      const {
        statusCode: status,
        body: text,
        headers: got,
      } = await program.app.inject({ method: 'GET', url, headers });
      return { status, text, headers: got };
    },

    async contact(email: string) {
      return (await ask('GET', `/v1/contacts/${encodeURIComponent(email)}`)).json;
    },
  };
}
