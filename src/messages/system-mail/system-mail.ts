// System mail: mail that the appliance writes itself, from its own domain, which must be able to sign.
import { newId } from '../../lib/runtime/index.js';
import type { SystemMail } from '../../accounts/system-mail.js';
import type { MessageStores } from '../stores.js';
import { PLATFORM_OWNER } from '../../domains/domains.store.js';
import { newDraft, toOne, type Draft } from '../accept/draft.js';
import { planMessages } from '../accept/plan-message.js';
import { systemEnvironment } from './system-workspace.js';

export interface SystemMailDeps {
  store: Pick<MessageStores, 'accounts' | 'domains' | 'commit'>;
  /** MAILKEEL_PLATFORM_DOMAIN; null when the appliance has none. */
  platformDomain: string | null;
}

/** A draft of the server's own: one recipient, plain text. */
export type SystemText = Pick<Draft, 'priority' | 'subject' | 'text' | 'headers' | 'from'> & {
  publicId: string;
  to: string;
} & Partial<Pick<Draft, 'attachments' | 'tlsTerms' | 'nullSender'>>;

/** Answers go to the sender instead of a thread that nobody reads; mail with the null sender takes none. */
export function systemDraft({ publicId, to, ...mail }: SystemText): Draft {
  return newDraft({
    ...mail,
    ...toOne(publicId, { email: to, name: null }),
    replyTo: mail.nullSender === true ? [] : [mail.from],
  });
}

/** Mail of the server is queued in the system workspace; no plan counts it. */
export function createSystemMail({ store, platformDomain }: SystemMailDeps): SystemMail {
  return {
    async problem(what, instead = '') {
      const end = instead === '' ? '.' : `, ${instead}`;
      if (platformDomain === null) {
        return `No domain is configured for sending ${what}. Set MAILKEEL_PLATFORM_DOMAIN${end}`;
      }
      const keys = await store.domains.dkimKeys([PLATFORM_OWNER]);
      if (keys.some((key) => key.domain === platformDomain && key.state === 'active')) return null;
      return `The DKIM record of ${platformDomain} is not in DNS, so ${what} cannot be signed. Publish the record${end}`;
    },

    async plan({ to, subject, text, lifeMs, now }) {
      const environment = await systemEnvironment(store, now);
      const draft = systemDraft({
        publicId: newId('msg', now),
        to,
        priority: 'high',
        from: { email: `postmaster@${platformDomain}`, name: null },
        subject,
        text,
        headers: [['Auto-Submitted', 'auto-generated']],
      });
      const { plan } = planMessages(draft, {
        scope: { ...environment, subTenantId: null },
        actor: 'system',
        now,
        idempotency: null,
        lifetimes: { queueLifetimeMs: lifeMs, marketingQueueLifetimeMs: lifeMs },
      });
      return plan;
    },
  };
}
