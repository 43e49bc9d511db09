// The choices of a recipient behind the link in a message: lists, no mail at all, mail again.
import { isErasedAddress } from '../../contract/erased-address.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { createKeyedMutex } from '../../lib/runtime/keyed-mutex.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import type { OwnList } from '../../contacts/lists/lists.store.js';
import type { SignedLinkTarget } from '../../messages/messages.store.js';
import type { Scope } from '../../database/scope.js';
import type { ListStores } from '../stores.js';
import { recipientOf, unsubscribe } from '../../suppressions/suppression-plan.store.js';
import { hasLeft, leaveListOf } from './unsubscribe-plan.store.js';
import type { ListOfMessage } from './unsubscribe.js';
import { ownContact } from '../../contacts/person.js';
import type { Suppression } from '../../suppressions/suppressions.tables.js';
import { type Consent, forgetUnsubscribe, joinList } from '../../contacts/contact-changes.store.js';
import type { Change, Plan } from '../../database/change.js';
import type { EventDetail } from '../../events/append.store.js';
import { liftSuppressions } from '../../suppressions/suppression-changes.store.js';

export interface PreferencesDeps {
  store: Pick<ListStores, 'suppressions' | 'contacts' | 'events' | 'lists' | 'messages' | 'commit'>;
  listOfMessage: ListOfMessage;
  clock: Clock;
  wakeUps: { events(): void };
}

export interface Preferences {
  /** The sender of the mail that it is about. */
  scope: Scope;
  email: string;
  lists: OwnList[];
  /** `unsubscribed`: by themselves, who may take it back. `blocked`: for another reason, or by another's will. */
  mail: 'wanted' | 'unsubscribed' | 'blocked';
}

export type Choice =
  /** `shown`: the ids that the page had; of these those in `wanted` stay or come back, the others are left. */
  | { kind: 'lists'; shown: ReadonlySet<string>; wanted: ReadonlySet<string> }
  | { kind: 'none' }
  | { kind: 'again' };

export interface PreferenceCenter {
  /** Null when there is no such message. */
  read(messagePublicId: string): Promise<Preferences | null>;
  /** Answers what holds afterwards; null like `read`. */
  save(messagePublicId: string, choice: Choice, detail: EventDetail): Promise<Preferences | null>;
}

interface Subscriber {
  target: SignedLinkTarget;
  contact: Contact | null;
  lists: OwnList[];
  suppressions: Suppression[];
}

export function createPreferences({
  store,
  listOfMessage,
  clock,
  wakeUps,
}: PreferencesDeps): PreferenceCenter {
  async function subscriberOf(messagePublicId: string): Promise<Subscriber | null> {
    const target = await store.messages.forToken(messagePublicId);
    if (!target || isErasedAddress(target.message.to_email)) return null;
    const { message, scope } = target;
    const [contact, brought, suppressions] = await Promise.all([
      ownContact(store, scope, message.to_key),
      listOfMessage(message),
      store.suppressions.suppressionsOf(scope, [message.to_key]),
    ]);
    const lists = await store.lists.listsOfRecipient(scope, {
      emailKey: message.to_key,
      contactNumber: contact?.number ?? null,
      broughtBy: brought?.number ?? null,
    });
    // The mail of a topic comes to whoever has not left its list, whether they ever joined it or not.
    const shown = lists.map((own): OwnList =>
      own.list.id === message.topic_id && own.subscription === 'none'
        ? { ...own, subscription: 'subscribed' }
        : own,
    );
    return { target, contact, lists: shown, suppressions };
  }

  async function read(messagePublicId: string): Promise<Preferences | null> {
    const subscriber = await subscriberOf(messagePublicId);
    return subscriber && preferencesOf(subscriber);
  }

  async function planOf(subscriber: Subscriber, choice: Choice, detail: EventDetail): Promise<Plan> {
    const at = clock();
    switch (choice.kind) {
      case 'none':
        return (await hasLeft(store, subscriber.target))
          ? []
          : unsubscribe(recipientOf(subscriber.target), detail, at);
      case 'again':
        return resubscribe(subscriber, at);
      case 'lists':
        return subscriber.lists
          .filter(({ list }) => choice.shown.has(list.id))
          .flatMap((own) => chosen(subscriber, own, choice.wanted.has(own.list.id), { detail, at }));
    }
  }

  const save: PreferenceCenter['save'] = async (messagePublicId, choice, detail) => {
    const subscriber = await subscriberOf(messagePublicId);
    if (!subscriber) return null;
    const plan = await planOf(subscriber, choice, detail);
    if (plan.length > 0) {
      await store.commit(plan);
      wakeUps.events();
    }
    return read(messagePublicId);
  };

  const inTurn = createKeyedMutex();
  return {
    read,
    save: (messagePublicId, choice, detail) =>
      inTurn(messagePublicId, () => save(messagePublicId, choice, detail)),
  };
}

function preferencesOf({ target, lists, suppressions }: Subscriber): Preferences {
  const ownKey = target.scope.subTenantId ?? '';
  const theirs = suppressions.every((row) => row.reason === 'unsubscribe' && row.sub_tenant_key === ownKey);
  const mail = suppressions.length === 0 ? 'wanted' : theirs ? 'unsubscribed' : 'blocked';
  return { scope: target.scope, email: target.message.to_email, lists, mail };
}

function chosen(
  { target, contact }: Subscriber,
  { list, subscription }: OwnList,
  isWanted: boolean,
  { detail, at }: { detail: EventDetail; at: number },
): Change[] {
  const { message } = target;
  const isOn = subscription === 'subscribed';
  if (!isWanted && isOn) {
    return leaveListOf(target, list, { contactId: contact?.id ?? null, detail, at });
  }
  if (!isWanted || isOn) return [];
  if (list.filter !== null || (contact === null && list.id === message.topic_id)) {
    return [
      forgetUnsubscribe({
        environmentId: list.environment_id,
        listNumbers: [list.number],
        emailKey: message.to_key,
      }),
    ];
  }
  if (!contact) return [];
  const place = { listNumber: list.number, contactId: contact.id };
  return [joinList({ ...place, state: 'subscribed', returned: true, consent: consentOf(detail), at })];
}

/** The recipient came back by the page behind a link of a message. */
function consentOf({ ip, user_agent: userAgent }: EventDetail): Consent {
  return {
    event: 'joined',
    actor: 'recipient',
    actorId: null,
    source: '/preferences',
    ip: ip ?? null,
    userAgent: userAgent ?? null,
  };
}

/** Takes back their own unsubscribing; every other reason stays. */
function resubscribe(subscriber: Subscriber, at: number): Change[] {
  if (preferencesOf(subscriber).mail !== 'unsubscribed') return [];
  return subscriber.suppressions.map(({ id }) =>
    liftSuppressions({ where: { id, reason: 'unsubscribe' }, at }),
  );
}
