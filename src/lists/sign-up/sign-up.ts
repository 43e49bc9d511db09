// Sign-ups for lists. With double opt-in a contact is pending until they confirm by the link in a mail, which is accepted like all mail.
import { Refusal } from '../../contract/refusal.js';
import { confirmationToken, readConfirmationToken, readSignUpToken, signUpToken } from './tokens.rules.js';
import type { Mode } from '../../contract/names.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import type { ContactList } from '../../contacts/lists/lists.tables.js';
import type { Scope } from '../../database/scope.js';
import type { ListContext } from '../context.js';
import type { ListStores } from '../stores.js';
import type { PageLanguage } from '../../contract/names.js';
import type { PageBranding } from '../../pages/page-branding.rules.js';
import { createSealToken, type SealToken } from '../../lib/secrets/index.js';
import { createUnsolicitedMailLimit, type CountUnsolicited } from '../../accounts/unsolicited-mail.js';
import { createFacts } from '../../messages/accept/facts.js';
import { assertTenantSends, chooseSenders } from '../../messages/accept/sender.js';
import { commitPerson, ownContact, type Person } from '../../contacts/person.js';
import type { MessageRequest } from '../../messages/message.schema.js';
import type { Suppression } from '../../suppressions/suppressions.tables.js';
import { shownLine } from '../../lib/mime/index.js';
import { type Consent, joinList } from '../../contacts/contact-changes.store.js';

const HOUR_MS = 3_600_000;
const NO_SENDER = 'The confirmation email needs a default sender. Make a verified sender the default.';

const NO_SIGN_UP = 'This list is not accepting sign-ups right now. Try again later.';

const FORM_KEY = /^pk_(live|test)_[0-9a-z]{26}$/;

/** The page that a visitor filled in, and where the request came from. */
export interface Visit {
  page: string;
  ip: string;
  user_agent: string | null;
}

interface SignUpVisit extends Visit {
  /** Language of the page. */
  language: PageLanguage;
}

export interface SignUpTarget {
  list: ContactList;
  scope: Scope;
}

export class SignUps {
  readonly #store: ListStores;
  readonly #submission: ListContext['submission'];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #config: ListContext['config'];
  readonly #tokenKeys: ListContext['keys']['tokenKeys'];
  readonly #seal: SealToken;
  readonly #count: CountUnsolicited;
  readonly #writeConfirmation: WriteConfirmation;

  /** `writeConfirmation` writes the mail of a list without a template for it. */
  constructor(context: ListContext, writeConfirmation: WriteConfirmation) {
    this.#store = context.store;
    this.#submission = context.submission;
    this.#clock = context.clock;
    this.#log = context.log;
    this.#config = context.config;
    this.#tokenKeys = context.keys.tokenKeys;
    this.#seal = createSealToken(context.keys.masterKey);
    this.#count = createUnsolicitedMailLimit(context.keys.masterKey);
    this.#writeConfirmation = writeConfirmation;
  }

  /** Returns the URL of a list's sign-up page in an environment; null for a segment, which cannot be joined. */
  pageUrl(list: ContactList, mode: Mode): string | null {
    return list.filter === null
      ? `${this.#config.publicUrl}/s/${signUpToken({ listId: list.id, mode }, this.#tokenKeys.active)}`
      : null;
  }

  /** Reads the list of a sign-up page; null if the link is not or no longer valid. */
  async page(token: string): Promise<SignUpTarget | null> {
    const page = readSignUpToken(token, this.#tokenKeys.all);
    return page ? this.#targetOf(page.listId, page.mode) : null;
  }

  /** Reads the list of a publishable key; null if the key is not or no longer valid. */
  async listOfFormKey(key: string): Promise<SignUpTarget | null> {
    if (!FORM_KEY.test(key)) return null;
    const list = await this.#store.lists.listOfFormKey(key);
    const environment = list ? await this.#store.accounts.environment(list.environment_id) : null;
    return list && environment ? { list, scope: { ...environment, subTenantId: list.sub_tenant_id } } : null;
  }

  /**
   * Signs a person up for callers that know the requester. Refuses with `recipient_suppressed`, and whenever adding a
   * contact or sending the mail refuses.
   */
  async subscribe(
    target: SignUpTarget,
    person: Person,
    consent: Consent,
  ): Promise<{ contact: Contact; status: 'subscribed' | 'pending' }> {
    if (target.list.filter !== null) throw new Refusal('list_is_segment');
    const joined = await this.#join(target, person, consent);
    if (joined.status === 'pending') await this.#ask(target, joined.contact, 'en');
    return joined;
  }

  /**
   * Signs a visitor of a public page up. Known contacts stay as they are, and the response reveals nothing about the
   * address. Refuses with `unavailable` while no confirmation can be sent to any address.
   */
  async subscribeVisitor(target: SignUpTarget, person: Person, visit: SignUpVisit): Promise<void> {
    const note = ({ code }: Refusal): void =>
      this.#log.warn({ list_id: target.list.id, code }, 'sending sign-up confirmation failed');
    if (target.list.double_opt_in === 1) {
      await this.#assertAsking(target.scope).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        note(error);
        throw new Refusal('unavailable', NO_SIGN_UP);
      });
    }
    const { email, key } = person;
    const known = await ownContact(this.#store, target.scope, key);
    try {
      const joined = await this.#join(
        target,
        known ? { email, key } : person,
        visitorConsent('joined', visit),
      );
      if (joined.status === 'pending') await this.#ask(target, joined.contact, visit.language);
    } catch (error) {
      if (!(error instanceof Refusal) || error.type === 'unavailable') throw error;
      // Only the owner of the list may see it, because the response must be the same for every address.
      note(error);
    }
  }

  /** Confirms a sign-up, which may be repeated. Returns null in the same cases as `pending`. */
  async confirm(token: string, visit: Visit): Promise<SignUpTarget | null> {
    const pending = await this.pending(token);
    if (!pending) return null;
    const { list, scope, contact, isDone } = pending;
    if (isDone) return { list, scope };
    await this.#store.commit([
      joinList({
        listNumber: list.number,
        contactId: contact.id,
        state: 'subscribed',
        returned: true,
        consent: visitorConsent('confirmed', visit),
        at: this.#clock(),
      }),
    ]);
    return { list, scope };
  }

  /**
   * Reads the list of a link, with the scope of its owner. Returns null for a segment, for a deleted list, and for a link
   * to another environment than the list's.
   */
  async #targetOf(listId: string, mode: Mode): Promise<SignUpTarget | null> {
    const list = await this.#store.lists.listOf(listId);
    if (!list || list.filter !== null) return null;
    const environment = await this.#store.accounts.environment(list.environment_id);
    if (environment?.mode !== mode) return null;
    return { list, scope: { ...environment, subTenantId: list.sub_tenant_id } };
  }

  /**
   * Adds a person to the list. The person is `pending` if the list requires confirmation, or if they left it or
   * unsubscribed from all mail, because only the owner of the address can undo that. Refuses with
   * `recipient_suppressed` if no confirmation would get mail to the address.
   */
  async #join(
    { list, scope }: SignUpTarget,
    person: Person,
    consent: Consent,
  ): Promise<{ contact: Contact; status: 'subscribed' | 'pending' }> {
    const now = this.#clock();
    const suppressions = await this.#suppressionsOf(scope, person.key);
    refuseBlocked(suppressions, scope);
    const hasLeft = (await this.#store.lists.leftAt(list.number, person.key)) !== null;
    const mustConfirm = list.double_opt_in === 1 || hasLeft || suppressions.length > 0;
    const state = mustConfirm ? 'pending' : 'subscribed';
    if (mustConfirm) await this.#assertAsking(scope);
    const { contact } = await commitPerson({ store: this.#store }, scope, person, {
      // Nothing that waits for new contacts may send them mail before they have confirmed.
      status: mustConfirm ? 'unsubscribed' : 'active',
      now,
      further: (contactId) => [
        joinList({ listNumber: list.number, contactId, state, returned: true, consent, at: now }),
      ],
    });
    const member = await this.#memberOf(list, contact);
    const isSubscribed = member?.state === 'subscribed' && contact.status === 'active';
    return { contact, status: isSubscribed ? 'subscribed' : 'pending' };
  }

  #suppressionsOf(scope: Scope, emailKey: string): Promise<Suppression[]> {
    return this.#store.suppressions.suppressionsOf(scope, [emailKey]);
  }

  async #memberOf(list: ContactList, { number }: Contact) {
    return (await this.#store.lists.memberships(list.number, [number])).get(number) ?? null;
  }

  /** Refuses with `tenant_suspended` or `sender_required` if the confirmation mail could not be sent. */
  async #assertAsking(scope: Scope): Promise<void> {
    const side = await createFacts(this.#store).senderSide(scope);
    assertTenantSends(side, scope.mode);
    try {
      chooseSenders({ from: null, replyTo: [] }, side, scope.mode);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'sender_required') throw error;
      throw new Refusal('sender_required', NO_SENDER);
    }
  }

  /**
   * Sends one confirmation mail per hour, regardless of the number of requests, in `language` if the branding has none. Refuses
   * with `rate_limited` if the address got too many, from any sender.
   */
  async #ask({ list, scope }: SignUpTarget, contact: Contact, language: PageLanguage): Promise<void> {
    const hour = Math.floor(this.#clock() / HOUR_MS);
    const pending = { listId: list.id, mode: scope.mode, contactId: contact.id, hour };
    const token = confirmationToken(pending, this.#tokenKeys.active);
    // Mail of the sandbox is delivered to no one, so a tester can read its link.
    const isLive = scope.mode === 'live';
    const link = `${this.#config.publicUrl}/s/confirm/${isLive ? this.#seal(token, contact.email_key) : token}`;
    if (isLive) {
      const asked = { emailKey: contact.email_key, askedBy: scope.workspaceId, now: this.#clock() };
      await this.#store.commit([this.#count({ kind: 'sign_up', ...asked })]);
    }
    const branding = await this.#store.brandings.pageBranding(scope);
    const spoken = { ...branding, language: branding.language ?? language };
    const mail = { email: contact.email, link, branding: spoken, write: this.#writeConfirmation };
    const send = (templateId: string | null): Promise<unknown> =>
      this.#submission.accept(scope, confirmationRequest(list, { ...mail, templateId }), {
        actor: 'system',
        keyId: null,
        policy: null,
        idempotencyHeader: `sign-up-${list.id}-${contact.id}-${hour}`,
        isAskedFor: true,
      });
    try {
      await send(list.confirmation_template_id).catch((error: unknown) => {
        if (list.confirmation_template_id === null || !isUnusableTemplate(error)) throw error;
        this.#log.warn({ list_id: list.id, code: error.code }, 'confirmation template not usable');
        return send(null);
      });
    } catch (error) {
      // The mail of this hour was sent before the list changed.
      if (!(error instanceof Refusal) || error.code !== 'idempotency_key_reused') throw error;
    }
  }

  /**
   * Reads the sign-up of a confirmation link. Returns null if the link has expired, if the contact has since left the list
   * or unsubscribed from all mail, or if the address is suppressed for a reason that a confirmation does not lift.
   */
  async pending(token: string): Promise<(SignUpTarget & { contact: Contact; isDone: boolean }) | null> {
    const pending = readConfirmationToken(token, this.#tokenKeys.all);
    if (!pending) return null;
    const askedBefore = (pending.hour + 1) * HOUR_MS;
    if (this.#clock() >= askedBefore + this.#config.confirmationLifetimeMs) return null;
    const target = await this.#targetOf(pending.listId, pending.mode);
    const contact = target ? await this.#store.contacts.contact(target.scope, pending.contactId) : null;
    if (!target || !contact) return null;
    const { list, scope } = target;
    const member = await this.#memberOf(list, contact);
    if (!member) return null;
    const suppressions = await this.#suppressionsOf(scope, contact.email_key);
    const isOvertaken = suppressions.some((row) => !isLiftable(row, scope) || row.created_at >= askedBefore);
    if (isOvertaken) return null;
    return { ...target, contact, isDone: member.state === 'subscribed' && contact.status === 'active' };
  }
}

/** A confirmed sign-up lifts the person's own unsubscribing, within the scope of the list. */
function isLiftable({ reason, sub_tenant_key: tenantKey }: Suppression, { subTenantId }: Scope): boolean {
  return reason === 'unsubscribe' && tenantKey === (subTenantId ?? '');
}

function refuseBlocked(suppressions: readonly Suppression[], scope: Scope): void {
  const blocking = suppressions.find((row) => !isLiftable(row, scope));
  if (!blocking) return;
  const message = `The address is suppressed (reason: ${blocking.reason}), and signing up does not remove the suppression. Remove the address from the suppression list first.`;
  throw new Refusal('recipient_suppressed', message, { param: 'email' });
}

/** Consent given on a page that anyone can open. */
function visitorConsent(event: Consent['event'], { page, ip, user_agent: userAgent }: Visit): Consent {
  return { event, actor: 'recipient', actorId: null, source: page, ip, userAgent };
}

const UNUSABLE_TEMPLATE: readonly string[] = [
  'template_not_found',
  'template_invalid',
  'subject_required',
  'content_required',
];

function isUnusableTemplate(error: unknown): error is Refusal {
  return error instanceof Refusal && UNUSABLE_TEMPLATE.includes(error.code);
}

type SpokenBranding = PageBranding & { language: PageLanguage };

/** Writes the mail in the language, and with the name and colour, of the sender's branding. */
export type WriteConfirmation = (
  mail: { listName: string; email: string; link: string },
  branding: SpokenBranding,
) => { subject: string; text: string; html: string };

interface ConfirmationMail {
  email: string;
  link: string;
  /** Null for the plain mail. */
  templateId: string | null;
  branding: SpokenBranding;
  write: WriteConfirmation;
}

/** Builds the confirmation mail. Its links are not tracked, because they must work unchanged. */
function confirmationRequest(
  list: ContactList,
  { email, link, templateId, branding, write }: ConfirmationMail,
): MessageRequest {
  const listName = shownLine(list.name);
  const common = {
    to: email,
    type: 'transactional' as const,
    priority: 'high' as const,
    track_opens: false,
    track_clicks: false,
    auto_submitted: true,
    tags: ['sign-up-confirmation'],
  };
  if (templateId !== null) {
    return { ...common, template_id: templateId, variables: { confirmation_url: link, list_name: listName } };
  }
  return { ...common, ...write({ listName, email, link }, branding) };
}
