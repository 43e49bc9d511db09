// Forwards an inbox to addresses whose owners have confirmed. A mailed link confirms an address, and can stop its forwarding later
// without an account.
import { randomBytes } from 'node:crypto';
import { createUnsolicitedMailLimit, type CountUnsolicited } from '../../accounts/unsolicited-mail.js';
import type { SystemMail } from '../../accounts/system-mail.js';
import type { Actor } from '../../contract/names.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { SendPolicy } from '../../contract/send-policy.js';
import type { Change } from '../../database/change.js';
import { insert, remove, update } from '../../database/rows.js';
import type { Scope } from '../../database/scope.js';
import { plainName } from '../../domains/senders/confirmations.js';
import { addressKey, addressProblem } from '../../lib/mime/index.js';
import { newId } from '../../lib/runtime/index.js';
import { createSealToken, type Keys, type SealToken } from '../../lib/secrets/index.js';
import { blockingRow } from '../../suppressions/suppression.rules.js';
import type { MessageContext } from '../context.js';
import { cancelForwarded, type CancelContext } from './cancel-forwarded.js';
import { type ForwardOfInbox, hashOfToken } from './forwards.store.js';
import { type InboxForward, inboxForwards } from './forwards.tables.js';
import type { Inbox } from './inboxes.tables.js';

const MOST_FORWARDS = 10;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const LIFE_MS = 48 * 3_600_000;
const RESEND_AFTER_MS = 60_000;
const TAKEN = { code: 'conflict', message: 'The inbox already forwards to this address.' } as const;

export interface ForwardContext extends CancelContext {
  config: Pick<MessageContext['config'], 'publicUrl' | 'queueLifetimeMs'>;
  keys: Pick<Keys, 'masterKey'>;
  systemMail: SystemMail;
}

export class Forwards {
  readonly #context: ForwardContext;
  /** Encrypts the token of the link in the stored mail. */
  readonly #seal: SealToken;
  readonly #count: CountUnsolicited;

  constructor(context: ForwardContext) {
    this.#context = context;
    this.#seal = createSealToken(context.keys.masterKey);
    this.#count = createUnsolicitedMailLimit(context.keys.masterKey);
  }

  /**
   * Adds an address and mails its owner a confirmation link. Refused with `forbidden` for a key with a send policy, with `conflict`
   * for a known address, and with `rate_limited` if the address or the workspace gets too many of these mails.
   */
  async create(
    scope: Scope,
    inboxId: string,
    { address: given, policy }: { address: string; policy: SendPolicy | null },
  ): Promise<InboxForward> {
    assertMayForward(policy);
    const { store, clock } = this.#context;
    const inbox = await this.#inbox(scope, inboxId);
    const address = given.trim();
    const key = addressKey(address);
    const problem =
      key === inbox.address_key ? 'An inbox cannot forward to its own address.' : addressProblem(address);
    if (problem !== null) throw invalidFields([{ path: 'address', message: `is not usable. ${problem}` }]);
    const others = await store.forwards.forwards(inbox.id);
    if (others.some((other) => other.address_key === key)) throw new Refusal(TAKEN.code, TAKEN.message);
    if (others.length >= MOST_FORWARDS) {
      throw new Refusal('conflict', `An inbox can forward to up to ${MOST_FORWARDS} addresses.`);
    }
    const { set, mail } = await this.#confirmation(scope, inbox, address);
    const now = clock();
    const row: InboxForward = {
      ...{ id: newId('fwd', now), inbox_id: inbox.id, environment_id: inbox.environment_id },
      ...{ sub_tenant_id: inbox.sub_tenant_id, address, address_key: key, ...set },
      ...{ confirmed_at: null, stopped_at: null, created_at: now, updated_at: now },
    };
    await this.#commit([insert(inboxForwards, { row, conflict: TAKEN }), ...mail]);
    return row;
  }

  async list(scope: Scope, inboxId: string): Promise<InboxForward[]> {
    const inbox = await this.#inbox(scope, inboxId);
    return this.#context.store.forwards.forwards(inbox.id);
  }

  /** Cancels queued messages to the address. Refused with `forbidden` for a key with a send policy. */
  async remove(
    scope: Scope,
    { inboxId, id, policy, actor }: { inboxId: string; id: string; policy: SendPolicy | null; actor: Actor },
  ): Promise<void> {
    assertMayForward(policy);
    const forward = await this.#find(scope, inboxId, id);
    await this.#context.store.commit([remove(inboxForwards, { where: { id: forward.id } })]);
    await cancelForwarded(this.#context, forward, { reason: 'forwarding_removed', actor });
  }

  /**
   * Mails a new link, which replaces the old one. Refused like `create`, and with `conflict` once the owner has confirmed or
   * stopped the forwarding.
   */
  async confirmAgain(
    scope: Scope,
    { inboxId, id, policy }: { inboxId: string; id: string; policy: SendPolicy | null },
  ): Promise<InboxForward> {
    assertMayForward(policy);
    const { clock } = this.#context;
    const forward = await this.#find(scope, inboxId, id);
    const inbox = await this.#inbox(scope, inboxId);
    if (forward.stopped_at !== null || forward.confirmed_at !== null) {
      throw new Refusal('conflict', 'The owner of the address has already confirmed or stopped forwarding.');
    }
    const now = clock();
    if (now - (forward.confirmation_expires_at - LIFE_MS) < RESEND_AFTER_MS) {
      throw new Refusal(
        'rate_limited',
        'A confirmation email was sent less than a minute ago. Try again later.',
      );
    }
    const { set, mail } = await this.#confirmation(scope, inbox, forward.address);
    const where = { id: forward.id, confirmation_hash: forward.confirmation_hash, confirmed_at: null };
    const change = update(inboxForwards, {
      set: { ...set, updated_at: now },
      ...{
        where,
        otherwise: {
          code: 'conflict',
          message: 'The owner of the address has already confirmed or stopped forwarding.',
        },
      },
    });
    await this.#commit([change, ...mail]);
    return { ...forward, ...set, updated_at: now };
  }

  /** Returns the addresses of `forwards` that the suppression list blocks. */
  async suppressedAmong(scope: Scope, forwards: readonly InboxForward[]): Promise<ReadonlySet<string>> {
    const [first] = forwards;
    if (first === undefined) return new Set();
    const { store } = this.#context;
    const owner = { ...scope, subTenantId: first.sub_tenant_id };
    const rows = await store.suppressions.suppressionsOf(
      owner,
      forwards.map(({ address_key: key }) => key),
    );
    if (rows.length === 0) return new Set();
    const { unsubscribe_blocks: unsubscribeBlocks } = await store.accounts.organization(scope);
    const question = {
      ...({ type: 'transactional', subTenantId: owner.subTenantId, unsubscribeBlocks } as const),
      isAskedFor: true,
    };
    return new Set(rows.filter((row) => blockingRow([row], question) !== null).map((row) => row.email_key));
  }

  /** Finds the forwarding of a link; null if the link was replaced, or expired before it was used. */
  async ofLink(token: string): Promise<ForwardOfInbox | null> {
    if (!TOKEN.test(token)) return null;
    const found = await this.#context.store.forwards.forwardByToken(token);
    if (found === null) return null;
    const isOver = found.confirmed_at === null && found.confirmation_expires_at <= this.#context.clock();
    return isOver ? null : found;
  }

  /** Records that the owner of the address confirmed. Returns null like `ofLink`, and if they have stopped the forwarding. */
  confirm(token: string): Promise<ForwardOfInbox | null> {
    return this.#answer(token, (now) => ({ confirmed_at: now }));
  }

  /** Records that the owner of the address stops or declines the forwarding, and cancels queued messages to the address. */
  async stop(token: string): Promise<ForwardOfInbox | null> {
    const stopped = await this.#answer(token, (now) => ({ stopped_at: now }));
    if (stopped === null) return null;
    await cancelForwarded(this.#context, stopped, { reason: 'forwarding_stopped', actor: 'recipient' });
    return stopped;
  }

  async #answer(
    token: string,
    answer: (now: number) => Partial<Pick<InboxForward, 'confirmed_at' | 'stopped_at'>>,
  ): Promise<ForwardOfInbox | null> {
    const found = await this.ofLink(token);
    if (found === null) return null;
    const now = this.#context.clock();
    const set = { ...answer(now), updated_at: now };
    const where = { id: found.id, confirmation_hash: hashOfToken(token), stopped_at: null };
    try {
      await this.#context.store.commit([
        update(inboxForwards, { set, where, otherwise: { code: 'not_found' } }),
      ]);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return null;
      throw error;
    }
    return found;
  }

  async #commit(plan: readonly Change[]): Promise<void> {
    const { store, wakeUps } = this.#context;
    const { queueIds } = await store.commit(plan);
    if (queueIds.length > 0) wakeUps.queue(queueIds);
  }

  async #inbox(scope: Scope, id: string): Promise<Inbox> {
    const found = await this.#context.store.inboxes.inbox(scope, id);
    if (found === null) throw new Refusal('not_found');
    return found;
  }

  async #find(scope: Scope, inboxId: string, id: string): Promise<InboxForward> {
    const inbox = await this.#inbox(scope, inboxId);
    const found = await this.#context.store.forwards.forward(inbox.id, id);
    if (found === null) throw new Refusal('not_found');
    return found;
  }

  /** Returns the columns of a new link, and the mail that contains it. */
  async #confirmation(
    scope: Scope,
    inbox: Inbox,
    address: string,
  ): Promise<{ set: Pick<InboxForward, 'confirmation_hash' | 'confirmation_expires_at'>; mail: Change[] }> {
    const { store, systemMail, clock, config } = this.#context;
    const problem = await systemMail.problem('the confirmation');
    if (problem !== null) throw new Refusal('conflict', problem);
    const now = clock();
    const { name } = await store.accounts.organization(scope);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const emailKey = addressKey(address);
    const link = `${config.publicUrl}/forward/${this.#seal(token, emailKey)}`;
    const mail = await systemMail.plan({
      to: address,
      subject: `Confirm forwarding to ${address}`,
      text: mailText({ organizationName: name, inboxAddress: inbox.address, address, link }),
      lifeMs: LIFE_MS,
      now,
    });
    const counted = this.#count({ kind: 'confirmation', emailKey, askedBy: scope.workspaceId, now });
    const set = { confirmation_hash: hashOfToken(token), confirmation_expires_at: now + LIFE_MS };
    return { set, mail: [counted, ...mail] };
  }
}

/** Refused with `forbidden` to a key with a send policy. */
export function assertMayForward(policy: SendPolicy | null): void {
  if (policy === null) return;
  throw new Refusal('forbidden', 'An API key with a send policy cannot change where mail is forwarded.');
}

interface ConfirmationMail {
  organizationName: string;
  inboxAddress: string;
  address: string;
  link: string;
}

function mailText({ organizationName, inboxAddress, address, link }: ConfirmationMail): string {
  return [
    `"${plainName(organizationName)}" wants to forward the email to ${inboxAddress} to ${address}.`,
    '',
    'To agree, open this page and confirm:',
    link,
    '',
    `You can agree for ${Math.round(LIFE_MS / 3_600_000)} hours. Keep this email: later, the same page stops the forwarding.`,
    'If you did not expect this request, you can ignore this email. No email is forwarded to you without your confirmation.',
    '',
  ].join('\n');
}
