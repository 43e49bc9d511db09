// Confirms sender addresses by a mailed link. The link holds 32 random bytes, and the store only their hash.
import { hash, randomBytes } from 'node:crypto';
import { Refusal } from '../../contract/refusal.js';
import { addressKey } from '../../lib/mime/index.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { Scope } from '../../database/scope.js';
import { createSealToken, type SealToken } from '../../lib/secrets/index.js';
import { createUnsolicitedMailLimit, type CountUnsolicited } from '../../accounts/unsolicited-mail.js';
import type { SystemMail } from '../../accounts/system-mail.js';
import { type Sender, senders } from '../domains.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import type { DomainContext } from '../context.js';
import type { DomainStores } from '../stores.js';

const MAX_NAME = 80;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const LIFE_MS = 48 * 3_600_000;
const RESEND_AFTER_MS = 60_000;

const INSTEAD = 'or verify the whole domain as a sender instead.';

interface ConfirmationMail {
  organizationName: string;
  email: string;
  link: string;
}

/** Recipients did not ask for the mail, so the organization's name must not add lines, links or long text. */
export function plainName(organizationName: string): string {
  return organizationName
    .replace(/[\x00-\x1f\x7f"]+/g, ' ')
    .replace(/[.:/]+(?=\S)/g, ' ')
    .trim()
    .slice(0, MAX_NAME);
}

function mailText({ organizationName, email, link }: ConfirmationMail): string {
  return [
    `"${plainName(organizationName)}" has asked to send email from ${email}.`,
    '',
    'To allow this, open this page and confirm:',
    link,
    '',
    `This link expires in ${Math.round(LIFE_MS / 3_600_000)} hours.`,
    'If you did not expect this request, you can ignore this email. No email is sent from your address without your confirmation.',
    '',
  ].join('\n');
}

interface NewConfirmation {
  set: { confirmation_hash: Buffer; confirmation_expires_at: number };
  mail: Change[];
}

type ConfirmationContext = Pick<DomainContext, 'store' | 'clock' | 'systemMail' | 'masterKey' | 'settings'>;

export class Confirmations {
  readonly #store: DomainStores;
  readonly #clock: Clock;
  readonly #systemMail: SystemMail;
  readonly #publicUrl: string;
  /** Encrypts the token of the link in the stored mail. */
  readonly #seal: SealToken;
  readonly #count: CountUnsolicited;

  constructor({ store, clock, systemMail, masterKey, settings }: ConfirmationContext) {
    this.#store = store;
    this.#clock = clock;
    this.#systemMail = systemMail;
    this.#publicUrl = settings.publicUrl;
    this.#seal = createSealToken(masterKey);
    this.#count = createUnsolicitedMailLimit(masterKey);
  }

  /**
   * Returns the columns of a new link and the mail that contains it, for one commit. The commit is refused with `rate_limited` if
   * the address or the workspace has reached its limit. Refuses with `conflict` if Mailkeel cannot send its own mail.
   */
  async prepare(
    scope: Pick<Scope, 'organizationId' | 'workspaceId'>,
    email: string,
  ): Promise<NewConfirmation> {
    const problem = await this.#systemMail.problem('the confirmation', INSTEAD);
    if (problem !== null) throw new Refusal('conflict', problem);
    const now = this.#clock();
    const organization = await this.#store.accounts.organization(scope);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const emailKey = addressKey(email);
    const link = `${this.#publicUrl}/confirm/${this.#seal(token, emailKey)}`;
    const mail = await this.#systemMail.plan({
      to: email,
      subject: `Confirm your sender address ${email}`,
      text: mailText({ organizationName: organization.name, email, link }),
      lifeMs: LIFE_MS,
      now,
    });
    const confirmationHash = hash('sha256', token, 'buffer');
    const set = { confirmation_hash: confirmationHash, confirmation_expires_at: now + LIFE_MS };
    const counted = this.#count({ kind: 'confirmation', emailKey, askedBy: scope.workspaceId, now });
    return { set, mail: [counted, ...mail] };
  }

  /** Refuses with `rate_limited` if the last link was mailed less than a minute ago. */
  refuseTooSoon(sender: Sender): void {
    const sentAt = (sender.confirmation_expires_at ?? 0) - LIFE_MS;
    if (this.#clock() - sentAt < RESEND_AFTER_MS) {
      throw new Refusal(
        'rate_limited',
        'A confirmation email was sent less than a minute ago. Try again later.',
      );
    }
  }

  /** Finds the sender of a link. Returns null if the link was used or replaced, or has expired. */
  async find(token: string): Promise<Sender | null> {
    if (!TOKEN.test(token)) return null;
    const sender = await this.#store.domains.senderByConfirmation(hash('sha256', token, 'buffer'));
    return sender && (sender.confirmation_expires_at ?? 0) > this.#clock() ? sender : null;
  }

  /** Confirms the sender of a link. Returns null in the same cases as `find`. */
  async confirm(token: string): Promise<Sender | null> {
    const sender = await this.find(token);
    if (!sender) return null;
    const now = this.#clock();
    const set = {
      status: 'verified',
      verified_at: now,
      confirmed_at: now,
      updated_at: now,
      confirmation_hash: null,
    } as const;
    const where = { id: sender.id, confirmation_hash: hash('sha256', token, 'buffer'), deleted_at: null };
    try {
      await this.#store.commit([update(senders, { set, where, otherwise: { code: 'not_found' } })]);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return null;
      throw error;
    }
    return sender;
  }
}
