// Confirmation of sender addresses by a mailed link: the link holds 32 random bytes, the store only their hash.
import { hash, randomBytes } from 'node:crypto';
import { Refusal } from '../../contract/refusal.js';
import { addressKey } from '../../lib/mime/address.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Scope } from '../../database/scope.js';
import type { SealToken } from '../../lib/runtime/mailed-token.js';
import type { CountUnsolicited } from '../../accounts/unsolicited-mail.js';
import type { SystemMail } from '../../accounts/system-mail.js';
import { type Sender, senders } from '../domains.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import type { DomainStores } from '../stores.js';

// The mail that asks the owner of an address whether it may be used as a sender.
const MAX_NAME = 80;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const LIFE_MS = 48 * 3_600_000;
const RESEND_AFTER_MS = 60_000;

const INSTEAD = 'or verify the whole domain as a sender instead.';

interface ConfirmationMail {
  /** The organization that asked for it. */
  organizationName: string;
  email: string;
  link: string;
}

function textOf({ organizationName, email, link }: ConfirmationMail): string {
  // The name is theirs, and this goes to people who did not ask for it: no line of its own, no link, no essay.
  const name = organizationName
    .replace(/[\x00-\x1f\x7f"]+/g, ' ')
    .replace(/[.:/]+(?=\S)/g, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return [
    `"${name}" has asked to send email from ${email}.`,
    '',
    'To allow this, open this page and confirm:',
    link,
    '',
    `This link expires in ${Math.round(LIFE_MS / 3_600_000)} hours.`,
    'If you did not expect this request, you can ignore this email. No email is sent from your address without your confirmation.',
    '',
  ].join('\n');
}

export interface NewConfirmation {
  set: { confirmation_hash: Buffer; confirmation_expires_at: number };
  mail: Change[];
}

export interface Confirmations {
  /**
   * A new link and the mail that carries it, to be committed together, which is refused with `rate_limited` when too many go to the
   * address or out of the workspace. Refuses with `conflict` where the appliance cannot send mail of its own.
   */
  prepare(scope: Pick<Scope, 'organizationId' | 'workspaceId'>, email: string): Promise<NewConfirmation>;
  /** Refuses with `rate_limited` when the last link was mailed less than a minute ago. */
  refuseTooSoon(sender: Sender): void;
  /** The sender that a link stands for; null when the link was used, replaced or has expired. */
  find(token: string): Promise<Sender | null>;
  /** Confirms; null like `find`. */
  confirm(token: string): Promise<Sender | null>;
}

export interface ConfirmationsDeps {
  store: Pick<DomainStores, 'domains' | 'accounts' | 'commit'>;
  clock: Clock;
  /** Base of the link, without a slash at the end. */
  publicUrl: string;
  systemMail: SystemMail;
  /** Seals the token of the link in the stored mail. */
  seal: SealToken;
  count: CountUnsolicited;
}

export function createConfirmations(deps: ConfirmationsDeps): Confirmations {
  const { store, clock, publicUrl, systemMail } = deps;

  async function find(token: string): Promise<Sender | null> {
    if (!TOKEN.test(token)) return null;
    const sender = await store.domains.senderByConfirmation(hash('sha256', token, 'buffer'));
    return sender && (sender.confirmation_expires_at ?? 0) > clock() ? sender : null;
  }

  return {
    async prepare(scope, email) {
      const problem = await systemMail.problem('the confirmation', INSTEAD);
      if (problem !== null) throw new Refusal('conflict', problem);
      const now = clock();
      const organization = await store.accounts.organization(scope);
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const link = `${publicUrl}/confirm/${deps.seal(token, addressKey(email))}`;
      const mail = await systemMail.plan({
        to: email,
        subject: `Confirm your sender address ${email}`,
        text: textOf({ organizationName: organization.name, email, link }),
        lifeMs: LIFE_MS,
        now,
      });
      const confirmationHash = hash('sha256', token, 'buffer');
      const set = { confirmation_hash: confirmationHash, confirmation_expires_at: now + LIFE_MS };
      const { workspaceId: askedBy } = scope;
      const counted = deps.count({ kind: 'confirmation', emailKey: addressKey(email), askedBy, now });
      return { set, mail: [counted, ...mail] };
    },

    refuseTooSoon(sender) {
      const sentAt = (sender.confirmation_expires_at ?? 0) - LIFE_MS;
      if (clock() - sentAt < RESEND_AFTER_MS) {
        throw new Refusal(
          'rate_limited',
          'A confirmation email was sent less than a minute ago. Try again later.',
        );
      }
    },

    find,

    async confirm(token) {
      const sender = await find(token);
      if (!sender) return null;
      const now = clock();
      try {
        await store.commit([
          update(senders, {
            set: {
              ...{ status: 'verified', verified_at: now, confirmed_at: now },
              ...{ updated_at: now, confirmation_hash: null },
            },
            where: { id: sender.id, confirmation_hash: hash('sha256', token, 'buffer'), deleted_at: null },
            otherwise: { code: 'not_found' },
          }),
        ]);
      } catch (error) {
        if (error instanceof Refusal && error.code === 'not_found') return null;
        throw error;
      }
      return sender;
    },
  };
}
