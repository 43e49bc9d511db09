// Erases a person: the contact, and the content of all mail to and from them. Kept without personal data are
// message rows, trail entries without detail (the chain holds, proofs verify), and the suppressions of the address.
import { removeDrafts } from '../messages/drafts/draft-changes.store.js';
import { removeFromSearch, searchAgain } from '../messages/threads/search-index.store.js';
import { threads as threadsTable } from '../messages/threads/threads.tables.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { accountImportReports } from '../account-imports/account-imports.tables.js';
import { isErasedAddress } from '../contract/erased-address.js';
import { Refusal } from '../contract/refusal.js';
import { withoutRecord } from '../webhooks/event.rules.js';
import type { Clock } from '../lib/runtime/index.js';
import { leaveLists } from '../contacts/contacts.store.js';
import type { Erased, ErasureStore, ReceivedIds } from './erasure.store.js';
import { NO_CORRESPONDENT, planApprovals, planContent, planAuditTrails } from './forget-plan.store.js';
import type { Content } from '../messages/rows.store.js';
import type { Scope } from '../database/scope.js';
import type { ErasureContext } from './context.js';
import type { ErasureStores } from './stores.js';
import type { Approval } from '../messages/approvals/approvals.tables.js';
import {
  planMessage,
  planRecipient,
  withoutAddress,
  withoutPersonInApproval,
  withoutRecipient,
} from './erase-plan.js';
import {
  type Message,
  attachments as attachmentsTable,
  blobs as blobsTable,
  raws as rawsTable,
  contents as contentsTable,
} from '../messages/messages.tables.js';
import type { Change, Plan } from '../database/change.js';
import { remove, update } from '../database/rows.js';
import { amendMessage } from '../messages/message-changes.store.js';
import { inboxForwards } from '../messages/inboxes/forwards.tables.js';
import { inboundMessages } from '../inbound/inbound.tables.js';
import { campaignOverrides } from '../campaigns/campaigns.tables.js';
import { forgetUnsubscribe, removeContact } from '../contacts/contact-changes.store.js';
import { webhookDeliveries, webhookAttempts } from '../webhooks/webhooks.tables.js';
import { changeSuppressions } from '../suppressions/suppression-changes.store.js';
import { sourceLinks } from '../analytics/analytics.tables.js';

/** Messages of one commit. */
const BATCH = 50;
/** Attempts of a batch. It fails if a worker claims a message, or another mail refers to a file. */
const TRIES = 3;

export interface Erasure {
  /** False if workers hold some copies. Repeating the request erases them. */
  isComplete: boolean;
  contacts: number;
  sent: number;
  received: number;
  canceled: number;
  attachments: number;
  threads: number;
  drafts: number;
  events: number;
  campaignRecipients: number;
  listUnsubscribes: number;
  inboundMessages: number;
  retainedSuppressions: number;
}

/** One erasure in progress. */
interface Work {
  erased: Erased;
  scopeOf: ReadonlyMap<number, Scope>;
  counts: Erasure;
  /** Campaigns and sequences that sent mail to the person. */
  sourceIds: Set<string>;
}

export class PersonErasure {
  readonly #store: ErasureStores;
  readonly #clock: Clock;
  readonly #wakeUps: ErasureContext['wakeUps'];
  readonly #erasure: ErasureStore;

  constructor({ store, clock, wakeUps }: ErasureContext) {
    this.#store = store;
    this.#clock = clock;
    this.#wakeUps = wakeUps;
    this.#erasure = this.#store.erasure;
  }

  /**
   * Erases in batches. After a crash, repeating the request with the address erases the rest. A scope that is limited to a
   * sub-tenant erases within it. A live scope covers both environments, a test scope only test.
   */
  async erase(scope: Scope, emailKey: string): Promise<Erasure> {
    const modes = scope.mode === 'live' ? (['live', 'test'] as const) : (['test'] as const);
    const environments = await Promise.all(
      modes.map((mode) => this.#store.accounts.environmentOf(scope.workspaceId, mode)),
    );
    const scopes = environments.map((one): Scope => ({ ...one, subTenantId: scope.subTenantId }));
    const environmentIds = scopes.map((one) => one.environmentId);
    const work: Work = {
      erased: {
        workspaceId: scope.mode === 'live' ? scope.workspaceId : null,
        subTenantId: scope.subTenantId,
        environmentIds,
        emailKey,
      },
      scopeOf: new Map(scopes.map((one) => [one.environmentId, one])),
      counts: { ...NOTHING },
      sourceIds: new Set(),
    };
    // Campaigns and inbound mail first, because the messages that lead to them are erased afterwards.
    await this.#eraseFromCampaigns(work);
    const received = await this.#erasure.receivedFrom(work.erased);
    await this.#eraseIncoming(work, received.received);
    const isReceivedComplete = await this.#eraseReceived(work, received);
    await this.#eraseSent(work);
    await this.#eraseContacts(work);
    // Again, for messages that were accepted before the contact was deleted.
    const isComplete = (await this.#eraseSent(work)) && isReceivedComplete;
    await this.#eraseFromCampaigns(work);
    await this.#eraseThreadsAndLinks(work);
    const suppressionIds = await this.#erasure.suppressionIds(work.erased);
    await this.#store.commit([
      ...(await this.#eraseRecords(work, suppressionIds)),
      ...this.#eraseReplies(suppressionIds),
    ]);
    this.#wakeUps.events();
    return {
      ...work.counts,
      isComplete,
      retainedSuppressions: await this.#erasure.retainedSuppressions(work.erased),
    };
  }

  /** Erases all messages to the address, including new ones. Returns true if none is left. */
  async #eraseSent(work: Work): Promise<boolean> {
    let after = 0;
    let isComplete = true;
    for (;;) {
      const messages = await this.#erasure.messagesTo(work.erased, after, BATCH);
      const last = messages.at(-1);
      if (!last) return isComplete;
      const left = await this.#eraseBatch(
        work,
        messages.map(({ id }) => id),
      );
      work.counts.sent += messages.length - left;
      if (left > 0) isComplete = false;
      after = last.id;
      await nextTurn();
    }
  }

  /** Erases messages from the person. Returns false if workers hold some that are forwarded; these are left whole. */
  async #eraseReceived(work: Work, { received, forwarding }: ReceivedIds): Promise<boolean> {
    // First, because forwarded copies share the content of the received messages, by which they are found.
    const held = new Set<number>();
    for (const batch of batchesOf(forwarding)) {
      work.counts.received += batch.length - (await this.#eraseBatch(work, batch));
      const after = await this.#erasure.messagesById(batch);
      for (const { from_email: author, content_id: content } of after) {
        if (!isErasedAddress(author)) held.add(content);
      }
      await nextTurn();
    }
    for (const batch of batchesOf(received)) {
      const messages = await this.#erasure.messagesById(batch);
      const free = messages.filter(({ content_id: content }) => !held.has(content));
      await this.#eraseBatch(
        work,
        free.map(({ id }) => id),
      );
      work.counts.received += free.length;
      await nextTurn();
    }
    return held.size === 0;
  }

  /** Returns the number of messages that were left, because workers hold them. */
  async #eraseBatch(work: Work, ids: readonly number[]): Promise<number> {
    for (let tries = 1; ; tries++) {
      const states = await this.#erasure.queueStates(ids);
      const leased = new Set(states.filter((one) => one.isLeased).map((one) => one.messageId));
      const waiting = new Set(states.filter((one) => !one.isLeased).map((one) => one.messageId));
      const messages = await this.#erasure.messagesById(ids.filter((id) => !leased.has(id)));
      if (messages.length === 0) return leased.size;
      const approvals = await this.#store.approvals.approvalsOfContents([
        ...new Set(messages.map((message) => message.content_id)),
      ]);
      const { plan, attachments, held } = await this.#planBatch(work, messages, { waiting, approvals });
      const deliveries = await this.#eraseRecords(work, [
        ...messages.map((message) => message.public_id),
        ...approvals.map(({ id }) => id),
      ]);
      const events = await this.#erasure.eventCount(messages.map(({ id }) => id));
      try {
        await this.#store.commit([...plan, ...deliveries]);
      } catch (error) {
        if (tries >= TRIES || (error instanceof Refusal && error.code !== 'conflict')) throw error;
        continue;
      }
      work.counts.canceled += waiting.size + held;
      work.counts.attachments += attachments;
      work.counts.events += events;
      for (const { campaign_id: campaign, sequence_id: sequence } of messages) {
        if (campaign !== null) work.sourceIds.add(campaign);
        if (sequence !== null) work.sourceIds.add(sequence);
      }
      return leased.size;
    }
  }

  async #planBatch(
    work: Work,
    messages: readonly Message[],
    { waiting, approvals }: { waiting: ReadonlySet<number>; approvals: readonly Approval[] },
  ): Promise<{ plan: Plan; attachments: number; held: number }> {
    const now = this.#clock();
    const ids = messages.map(({ id }) => id);
    const contents = new Map(
      (await this.#erasure.contentsOf([...new Set(messages.map((row) => row.content_id))])).map((row) => [
        row.id,
        row,
      ]),
    );
    const approvalOf = ({ content_id, status }: Message) =>
      status === 'queued'
        ? approvals.find((one) => one.content_id === content_id && one.status === 'pending')
        : undefined;
    const plan: Change[] = messages.flatMap((message) => {
      const scope = work.scopeOf.get(message.environment_id);
      if (!scope) return [];
      return planMessage(message, {
        ...{ emailKey: work.erased.emailKey, scope, now },
        content: contents.get(message.content_id),
        isWaiting: waiting.has(message.id),
        approvalId: approvalOf(message)?.id ?? null,
      });
    });
    const own: Content[] = [];
    for (const content of contents.values()) {
      const message = messages.find((one) => one.content_id === content.id);
      const others = message ? await this.#readOtherCopies(work, message) : [];
      if (others.length === 0) own.push(content);
      else {
        const shared = approvals.filter((one) => one.content_id === content.id);
        plan.push(...(await this.#planShared(work, content, others)));
        plan.push(
          ...shared.map((one) => withoutPersonInApproval(one, { emailKey: work.erased.emailKey, now })),
        );
      }
    }
    const ownIds = own.map(({ id }) => id);
    const blobs = await this.#erasure.blobsOnlyOf(ownIds);
    const raws = await this.#erasure.rawsOnlyOf(
      own.flatMap(({ raw_id: raw }) => raw ?? []),
      { contentIds: ownIds, mailIds: [] },
    );
    return {
      attachments: blobs.length,
      held: messages.filter((message) => approvalOf(message) !== undefined).length,
      plan: [
        ...plan,
        ...own.map(planContent),
        planApprovals(ownIds),
        remove(attachmentsTable, { where: { content_id: ownIds } }),
        remove(blobsTable, { where: { id: blobs } }),
        remove(rawsTable, { where: { id: raws } }),
        ...planAuditTrails(ids),
        ...removeFromSearch(messages),
      ],
    };
  }

  /** Reads the copies of one request to other people, which share its content. */
  async #readOtherCopies({ erased }: Work, message: Message): Promise<Message[]> {
    if (message.status === 'received' || message.campaign_id !== null || message.sequence_id !== null)
      return [];
    return this.#erasure.otherCopies(message, erased.emailKey);
  }

  /** Content shared with other recipients stays, without the address. */
  async #planShared({ erased }: Work, content: Content, others: readonly Message[]): Promise<Change[]> {
    const without = (text: string | null) => (text === null ? null : withoutAddress(text, erased.emailKey));
    const changes: Change[] = [
      update(contentsTable, {
        set: {
          to_list: withoutRecipient(content.to_list, erased.emailKey),
          cc_list: withoutRecipient(content.cc_list, erased.emailKey),
          headers: withoutAddress(content.headers, erased.emailKey),
          html: without(content.html),
          text: without(content.text),
        },
        where: { id: content.id },
      }),
      ...others.map((message): Change =>
        amendMessage({
          messageId: message.id,
          set: { subject: withoutAddress(message.subject, erased.emailKey) },
        }),
      ),
      ...searchAgain(others),
    ];
    // The octets cannot change without breaking their signature, and queued copies are sent from them.
    const raw = content.raw_id;
    if (raw === null || !(await this.#erasure.rawHas(raw, erased.emailKey))) return changes;
    const states = await this.#erasure.queueStates(others.map(({ id }) => id));
    // Copies without a row in the queue wait for approval.
    if (states.length > 0 || others.some(({ status }) => status === 'queued')) return changes;
    const unused = await this.#erasure.rawsOnlyOf([raw], { contentIds: [content.id], mailIds: [] });
    return [
      ...changes,
      update(contentsTable, { set: { raw_id: null }, where: { id: content.id } }),
      remove(rawsTable, { where: { id: unused } }),
    ];
  }

  async #eraseIncoming(work: Work, receivedIds: readonly number[]): Promise<void> {
    const rawIds = new Set<number>();
    for (let i = 0; i < receivedIds.length; i += BATCH) {
      const messages = await this.#erasure.messagesById(receivedIds.slice(i, i + BATCH));
      const contents = await this.#erasure.contentsOf(messages.map((message) => message.content_id));
      for (const { raw_id: rawId } of contents) if (rawId !== null) rawIds.add(rawId);
    }
    const publicIds = new Set<string>();
    for (let after = 0; ;) {
      const messages = await this.#erasure.messagesTo(work.erased, after, 1_000);
      for (const message of messages) publicIds.add(message.public_id);
      const last = messages.at(-1);
      if (!last) break;
      after = last.id;
    }
    const mails = await this.#erasure.inboundMessages(work.erased, { publicIds, rawIds });
    for (let i = 0; i < mails.length; i += BATCH) {
      const batch = mails.slice(i, i + BATCH);
      const mailIds = batch.map(({ id }) => id);
      const raws = await this.#erasure.rawsOnlyOf(
        batch.map(({ rawId }) => rawId),
        { contentIds: [], mailIds },
      );
      await this.#store.commit([
        remove(inboundMessages, { where: { id: mailIds } }),
        remove(rawsTable, { where: { id: raws } }),
      ]);
    }
    work.counts.inboundMessages += mails.length;
  }

  async #eraseFromCampaigns(work: Work): Promise<void> {
    const { erased } = work;
    for (let tries = 1; ; tries++) {
      const recipients = await this.#erasure.recipientsIn(erased);
      const overrides = await this.#erasure.overridesFor(erased);
      const plan: Change[] = recipients.flatMap(planRecipient);
      if (overrides.length > 0) {
        const where = { campaign_id: overrides, email_key: erased.emailKey };
        plan.push(remove(campaignOverrides, { where }));
      }
      try {
        if (plan.length > 0) await this.#store.commit(plan);
        work.counts.campaignRecipients += recipients.length;
        return;
      } catch (error) {
        // A copy for the recipient was created in the meantime.
        const isRace = error instanceof Refusal && error.code === 'conflict';
        if (!isRace || tries >= TRIES) throw error;
      }
    }
  }

  async #eraseContacts(work: Work): Promise<void> {
    const { erased, counts } = work;
    const unsubscribes = await this.#erasure.listsLeftBy(erased);
    if (unsubscribes.length > 0) {
      await this.#store.commit(
        unsubscribes.map(({ environmentId, listNumber }) =>
          forgetUnsubscribe({ environmentId, listNumbers: [listNumber], emailKey: erased.emailKey }),
        ),
      );
      counts.listUnsubscribes += unsubscribes.length;
    }
    const lines = await this.#store.person.importReports(erased);
    if (lines.length > 0) {
      const where = { import_id: lines.map((line) => line.import_id), email_key: erased.emailKey };
      await this.#store.commit([remove(accountImportReports, { where })]);
    }
    const forwards = await this.#store.forwards.forwardsTo(erased);
    if (forwards.length > 0) {
      await this.#store.commit([remove(inboxForwards, { where: { id: forwards.map(({ id }) => id) } })]);
    }
    for (const scope of work.scopeOf.values()) {
      for (const contact of await this.#store.contacts.contactsOfAddress(scope, erased.emailKey)) {
        const places = await this.#store.contacts.placesOf(contact.number);
        const at = this.#clock();
        await this.#store.commit([
          ...(await this.#eraseRecords(work, [contact.id])),
          ...leaveLists(places, at),
          removeContact({ id: contact.id, isErasure: true, at }),
        ]);
        counts.contacts += 1;
      }
    }
  }

  /** Removes the record from webhook deliveries about the person. The event stays. */
  async #eraseRecords({ erased }: Work, publicIds: readonly string[]): Promise<Change[]> {
    const deliveries = await this.#erasure.deliveriesWith(erased, publicIds);
    return deliveries.flatMap(({ id, payload }): Change[] => [
      update(webhookDeliveries, {
        // In a vendor's format the body is only the record, so the thin event is sent instead.
        set: { payload: withoutRecord(payload), format: null, body: null },
        where: { id },
      }),
      update(webhookAttempts, { set: { request_body: null }, where: { delivery_id: id } }),
    ]);
  }

  /** Empties the replies of mail servers, which may name the person. */
  #eraseReplies(suppressionIds: readonly string[]): Change[] {
    const at = this.#clock();
    return suppressionIds.map((id) => changeSuppressions({ set: { reply: null }, where: { id }, at }));
  }

  async #eraseThreadsAndLinks({ erased, counts, sourceIds }: Work): Promise<void> {
    const threads = await this.#erasure.threadsWith(erased);
    const drafts = await this.#store.drafts.openAbout(erased, {
      threadIds: threads,
      emailKey: erased.emailKey,
    });
    const texts = [erased.emailKey, encodeURIComponent(erased.emailKey).toLowerCase()];
    const links = await this.#erasure.linksWith([...sourceIds], texts);
    await this.#store.commit([
      update(threadsTable, { set: NO_CORRESPONDENT, where: { id: threads } }),
      removeDrafts({ where: { id: drafts.map(({ id }) => id) }, at: this.#clock() }),
      ...links.map(({ sourceId, url }): Change =>
        remove(sourceLinks, { where: { source_id: sourceId, url } }),
      ),
    ]);
    counts.threads += threads.length;
    counts.drafts += drafts.length;
  }
}

function batchesOf(ids: readonly number[]): number[][] {
  const count = Math.ceil(ids.length / BATCH);
  return Array.from({ length: count }, (_, at) => ids.slice(at * BATCH, (at + 1) * BATCH));
}

const NOTHING: Erasure = {
  isComplete: false,
  contacts: 0,
  sent: 0,
  received: 0,
  canceled: 0,
  attachments: 0,
  threads: 0,
  drafts: 0,
  events: 0,
  campaignRecipients: 0,
  listUnsubscribes: 0,
  inboundMessages: 0,
  retainedSuppressions: 0,
};
