// Writes everything about one person as one JSON document, section by section, so that its size is not limited by memory.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { presentOverride } from '../campaigns/campaign.view.js';
import { presentExported } from '../contacts/contact.view.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import { iso, isoOrNull } from '../contract/time.js';
import type { Scope } from '../database/scope.js';
import { presentAttempt } from '../messages/attempt.view.js';
import { presentAuditTrail, presentContent, presentMessage } from '../messages/message.view.js';
import type { Message } from '../messages/messages.tables.js';
import { presentReceivedMessage } from '../messages/received.view.js';
import { presentDraft } from '../messages/drafts/draft.view.js';
import { presentThreadSummary } from '../messages/threads/thread.view.js';
import { presentEnrollment } from '../sequences/sequence.view.js';
import { presentSuppression } from '../suppressions/suppression.view.js';
import type { Erased } from './erasure.store.js';
import { PERSON_SECTIONS, type PersonItem, type PersonSection } from './contact-data.schema.js';
import type { ErasureStores } from './stores.js';

/** Messages that are read together and written one by one. */
const BATCH = 20;
const THREADS = 200;
const LISTS = 200;

export interface Person {
  scope: Scope;
  email: string;
  emailKey: string;
}

interface Shown extends Person {
  store: ErasureStores;
  erased: Erased;
  contacts: readonly Contact[];
}

type Items<Section extends PersonSection> = AsyncGenerator<PersonItem<Section>>;

/** Yields the document in pieces. `now` is epoch ms. */
export async function* exportPerson(
  store: ErasureStores,
  person: Person,
  now: number,
): AsyncGenerator<string> {
  const { scope, email, emailKey } = person;
  const contacts = await store.contacts.contactsOfAddress(scope, emailKey);
  const shown: Shown = {
    ...person,
    store,
    contacts,
    erased: {
      workspaceId: scope.workspaceId,
      subTenantId: scope.subTenantId,
      environmentIds: [scope.environmentId],
      emailKey,
    },
  };
  const head = { object: 'contact_data', email, sandbox: scope.mode === 'test', created_at: iso(now) };
  yield JSON.stringify(head).slice(0, -1);
  for (const name of PERSON_SECTIONS) {
    yield `,\n"${name}":[`;
    let isFirst = true;
    for await (const item of SECTIONS[name](shown)) {
      yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(item)}`;
      isFirst = false;
      await nextTurn();
    }
    yield ']';
  }
  yield '}\n';
}

const SECTIONS: { [Section in PersonSection]: (shown: Shown) => Items<Section> } = {
  contacts: contactItems,
  async *list_unsubscribes({ store, erased }) {
    for (const { unsubscribed_at: at, ...row } of await store.person.listsLeft(erased)) {
      yield { ...row, unsubscribed_at: iso(at) };
    }
  },
  async *suppressions({ store, erased }) {
    for (const row of await store.person.suppressions(erased)) {
      yield presentSuppression(row);
    }
  },
  async *threads({ store, erased }) {
    const ids = await store.erasure.threadsWith(erased);
    for (let i = 0; i < ids.length; i += THREADS) {
      for (const row of await store.person.threads(ids.slice(i, i + THREADS)))
        yield presentThreadSummary(row);
    }
  },
  async *drafts({ store, erased, emailKey }) {
    const threadIds = await store.erasure.threadsWith(erased);
    for (const row of await store.drafts.openAbout(erased, { threadIds, emailKey })) {
      yield presentDraft(row);
    }
  },
  messages,
  async *enrollments({ store, contacts: known }) {
    const rows = await store.person.enrollments(known.map(({ number }) => number));
    for (const { sequence_id: sequenceId, ...row } of rows) yield presentEnrollment(row, sequenceId);
  },
  async *campaign_recipients({ store, erased }) {
    for (const row of await store.person.campaignRecipients(erased)) {
      const { campaign_id, email, state, variant, reason } = row;
      yield { campaign_id, email, state, variant, reason };
    }
  },
  async *campaign_overrides({ store, erased }) {
    for (const row of await store.person.campaignOverrides(erased)) {
      yield presentOverride(row);
    }
  },
  inbound_messages: inboundMessages,
  async *inbox_forwards({ store, erased }) {
    for (const row of await store.forwards.forwardsTo(erased)) {
      const { inbox_id, address, confirmed_at, stopped_at, created_at } = row;
      const times = { confirmed_at: isoOrNull(confirmed_at), stopped_at: isoOrNull(stopped_at) };
      yield { inbox_id, address, ...times, created_at: iso(created_at) };
    }
  },
  async *account_import_reports({ store, erased }) {
    for (const { import_id, kind, external_id, name, problem } of await store.person.importReports(erased)) {
      yield { import_id, kind, external_id, name, problem };
    }
  },
};

async function* contactItems({ store, scope, contacts: known }: Shown): Items<'contacts'> {
  const numbers = known.map(({ number }) => number);
  const [consents, places] = await Promise.all([
    store.consents.consentsOf(numbers),
    store.person.memberships(numbers),
  ]);
  for (const contact of known) {
    yield {
      ...presentExported(contact, consents.get(contact.number) ?? []),
      lists: places
        .filter((place) => place.contact_number === contact.number)
        .map(({ list_id, name, state, joined_at: at }) => ({ list_id, name, state, joined_at: iso(at) })),
      segments: await segmentsOf(store, scope, contact),
    };
  }
}

/** The segments of the contact's owner that it is in now. */
async function segmentsOf(
  store: ErasureStores,
  scope: Scope,
  contact: Contact,
): Promise<{ list_id: string; name: string }[]> {
  const found: { list_id: string; name: string }[] = [];
  let after: string | null = null;
  do {
    const page: { rows: ContactList[]; next: string | null } = await store.lists.lists(
      scope,
      { limit: LISTS, after },
      {},
    );
    for (const list of page.rows) {
      if (list.filter === null || list.sub_tenant_id !== contact.sub_tenant_id) continue;
      const isIn = await store.lists.isInAudience({ list, segmentTag: null }, contact.number);
      if (isIn) found.push({ list_id: list.id, name: list.name });
    }
    after = page.next;
    await nextTurn();
  } while (after !== null);
  return found;
}

/** Messages to the person, then those from the person, each with its content, audit trail and attempts. */
async function* messages(shown: Shown): Items<'messages'> {
  const { store, erased } = shown;
  for (let after = 0; ;) {
    const rows = await store.erasure.messagesTo(erased, after, BATCH);
    yield* inFull(shown, rows);
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  const { received, forwarding } = await store.erasure.receivedFrom(erased);
  const ids = [...received, ...forwarding];
  for (let i = 0; i < ids.length; i += BATCH) {
    yield* inFull(shown, await store.erasure.messagesById(ids.slice(i, i + BATCH)));
  }
}

async function* inFull({ store, scope }: Shown, rows: readonly Message[]): Items<'messages'> {
  const ids = rows.map(({ id }) => id);
  const [shownOf, engagement] = await Promise.all([
    store.messages.shownContents(rows),
    store.person.engagement(ids),
  ]);
  for (const row of rows) {
    const received = (await store.threads.receivedInFull([row.id])).get(row.id);
    const base = received
      ? presentReceivedMessage({ message: row, received, shown: shownOf(row) }, scope.mode)
      : presentMessage(row, shownOf(row), scope.mode);
    const counts = engagement.get(row.id);
    const { attempts } = await store.attempts.attemptsOf(row);
    const openings = await store.attempts.openingsOf(attempts.flatMap(({ sessionId: id }) => id ?? []));
    yield {
      ...base,
      content: presentContent(await store.messages.content(row), row),
      engagement: counts
        ? {
            opens: counts.opens,
            machine_opens: counts.machine_opens,
            clicks: counts.clicks,
            machine_clicks: counts.machine_clicks,
          }
        : null,
      trail: presentAuditTrail(row, await store.events.auditTrailOfMessage(row.id)).trail,
      attempts: attempts.map((one) => presentAttempt(row, one, openings)),
    };
  }
}

/** Mail from the person, and reports about mail to the person, as long as the server keeps it. */
async function* inboundMessages({ store, erased }: Shown): Items<'inbound_messages'> {
  const publicIds = new Set<string>();
  for (let after = 0; ;) {
    const rows = await store.erasure.messagesTo(erased, after, BATCH * 10);
    for (const { public_id: id } of rows) publicIds.add(id);
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  const found = await store.erasure.inboundMessages(erased, { publicIds, rawIds: new Set() });
  for (let i = 0; i < found.length; i += BATCH) {
    const ids = found.slice(i, i + BATCH).map(({ id }) => id);
    for (const { received_at: at, mail_from, rcpt_to, kind, state, outcome } of await store.person.inbound(
      ids,
    )) {
      yield { received_at: iso(at), mail_from, rcpt_to, kind, state, outcome };
    }
  }
}
