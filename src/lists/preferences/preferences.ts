// Preferences of a recipient, behind the link in a message: lists, no mail at all, or mail again.
import { isErasedAddress } from '../../contract/erased-address.js';
import { createKeyedMutex } from '../../lib/concurrency/index.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import type { OwnList } from '../../contacts/lists/lists.store.js';
import type { SignedLinkTarget } from '../../messages/messages.store.js';
import type { Scope } from '../../database/scope.js';
import type { MessageLinkContext } from '../context.js';
import { messageRecipient, unsubscribe } from '../../suppressions/suppression-plan.store.js';
import { hasLeft, unsubscribeFromList } from './unsubscribe-plan.store.js';
import { listOfMessage } from './unsubscribe.js';
import { ownContact } from '../../contacts/person.js';
import type { Suppression } from '../../suppressions/suppressions.tables.js';
import { type Consent, forgetUnsubscribe, joinList } from '../../contacts/contact-changes.store.js';
import type { Change, Plan } from '../../database/change.js';
import type { EventDetail } from '../../events/append.store.js';
import { liftSuppressions } from '../../suppressions/suppression-changes.store.js';

export interface Preferences {
  /** Scope of the message's sender. */
  scope: Scope;
  email: string;
  lists: OwnList[];
  /** `unsubscribed` by the recipient, who can undo it, or `blocked` for another reason or by someone else. */
  mail: 'wanted' | 'unsubscribed' | 'blocked';
}

export type Choice =
  /** Among the ids on the page (`shown`), the recipient stays on or rejoins those in `wanted` and leaves the rest. */
  | { kind: 'lists'; shown: ReadonlySet<string>; wanted: ReadonlySet<string> }
  | { kind: 'none' }
  | { kind: 'again' };

interface Subscriber {
  target: SignedLinkTarget;
  contact: Contact | null;
  lists: OwnList[];
  suppressions: Suppression[];
}

export class PreferenceCenter {
  readonly #context: MessageLinkContext;
  /** Requests for one message run one after the other. */
  readonly #inTurn = createKeyedMutex();

  constructor(context: MessageLinkContext) {
    this.#context = context;
  }

  /** Returns null if there is no such message. */
  async read(messagePublicId: string): Promise<Preferences | null> {
    const subscriber = await readSubscriber(this.#context, messagePublicId);
    return subscriber && currentPreferences(subscriber);
  }

  /** Returns the preferences that then apply; null if there is no such message. */
  save(messagePublicId: string, choice: Choice, detail: EventDetail): Promise<Preferences | null> {
    return this.#inTurn(messagePublicId, async () => {
      const { store, wakeUps } = this.#context;
      const subscriber = await readSubscriber(this.#context, messagePublicId);
      if (!subscriber) return null;
      const plan = await this.#planChoice(subscriber, choice, detail);
      if (plan.length > 0) {
        await store.commit(plan);
        wakeUps.events();
      }
      return this.read(messagePublicId);
    });
  }

  async #planChoice(subscriber: Subscriber, choice: Choice, detail: EventDetail): Promise<Plan> {
    const { store, clock } = this.#context;
    const at = clock();
    switch (choice.kind) {
      case 'none':
        return (await hasLeft(store, subscriber.target))
          ? []
          : unsubscribe(messageRecipient(subscriber.target), detail, at);
      case 'again':
        return resubscribe(subscriber, at);
      case 'lists':
        return subscriber.lists
          .filter(({ list }) => choice.shown.has(list.id))
          .flatMap((own) => chosen(subscriber, own, choice.wanted.has(own.list.id), { detail, at }));
    }
  }
}

async function readSubscriber(
  context: MessageLinkContext,
  messagePublicId: string,
): Promise<Subscriber | null> {
  const { store } = context;
  const target = await store.messages.forToken(messagePublicId);
  if (!target || isErasedAddress(target.message.to_email)) return null;
  const { message, scope } = target;
  const [contact, brought, suppressions] = await Promise.all([
    ownContact(store, scope, message.to_key),
    listOfMessage(context, message),
    store.suppressions.suppressionsOf(scope, [message.to_key]),
  ]);
  const lists = await store.lists.listsOfRecipient(scope, {
    emailKey: message.to_key,
    contactNumber: contact?.number ?? null,
    broughtBy: brought?.number ?? null,
  });
  // The mail of a topic goes to every recipient who has not left its list, even without having joined it.
  const shown = lists.map((own): OwnList =>
    own.list.id === message.topic_id && own.subscription === 'none'
      ? { ...own, subscription: 'subscribed' }
      : own,
  );
  return { target, contact, lists: shown, suppressions };
}

function currentPreferences({ target, lists, suppressions }: Subscriber): Preferences {
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
    return unsubscribeFromList(target, list, { contactId: contact?.id ?? null, detail, at });
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
  return [
    joinList({
      listNumber: list.number,
      contactId: contact.id,
      state: 'subscribed',
      returned: true,
      consent: preferenceConsent(detail),
      at,
    }),
  ];
}

/** Consent of a recipient who rejoined on the page behind a link of a message. */
function preferenceConsent({ ip, user_agent: userAgent }: EventDetail): Consent {
  return {
    event: 'joined',
    actor: 'recipient',
    actorId: null,
    source: '/preferences',
    ip: ip ?? null,
    userAgent: userAgent ?? null,
  };
}

/** Lifts the recipient's own unsubscribing and no other suppression. */
function resubscribe(subscriber: Subscriber, at: number): Change[] {
  if (currentPreferences(subscriber).mail !== 'unsubscribed') return [];
  return subscriber.suppressions.map(({ id }) =>
    liftSuppressions({ where: { id, reason: 'unsubscribe' }, at }),
  );
}
