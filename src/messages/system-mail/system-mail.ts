// Plans system mail, which the server sends from its own domain. The domain must have a DKIM key.
import { newId } from '../../lib/runtime/index.js';
import type { SystemMail } from '../../accounts/system-mail.js';
import type { MessageStores } from '../stores.js';
import { PLATFORM_OWNER } from '../../domains/domains.store.js';
import { newDraft, toOne, type Draft } from '../accept/draft.js';
import { planMessages } from '../accept/plan-message.js';
import { systemEnvironment } from './system-workspace.js';

/** Plain text for one recipient. */
type SystemText = Pick<Draft, 'priority' | 'subject' | 'text' | 'headers' | 'from'> & {
  publicId: string;
  to: string;
} & Partial<Pick<Draft, 'attachments' | 'tlsTerms' | 'nullSender'>>;

/** Replies go to the sender, because no one reads a thread of system mail. Mail with the null sender takes no replies. */
export function systemDraft({ publicId, to, ...mail }: SystemText): Draft {
  return newDraft({
    ...mail,
    ...toOne(publicId, { email: to, name: null }),
    replyTo: mail.nullSender === true ? [] : [mail.from],
  });
}

/** Queues system mail in the system workspace, which has no plan. */
export function createSystemMail({
  store,
  platformDomain,
}: {
  store: Pick<MessageStores, 'accounts' | 'domains' | 'commitAlone'>;
  platformDomain: string | null;
}): SystemMail {
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
