// System mail: mail that the appliance writes itself, from its own domain, which must be able to sign.
import { Refusal } from '../../contract/refusal.js';
import { newId } from '../../lib/runtime/ids.js';
import type { EnvironmentRef } from '../../accounts/accounts.store.js';
import type { Accept } from '../../store/plan.js';
import type { Store } from '../../store/store.js';
import { PLATFORM_OWNER } from '../../domains/domains.store.js';
import { newDraft, toOne, type Draft } from '../accept/draft.js';
import { planMessages } from '../accept/plan-message.js';

export interface SystemMailDeps {
  store: Pick<Store, 'domains'>;
  /** MAILKEEL_PLATFORM_DOMAIN; null when the appliance has none. */
  platformDomain: string | null;
}

/** MAILKEEL_PLATFORM_DOMAIN. Refused with `conflict` while there is none that signs; `what` names the mail for the text. */
export async function systemMailDomain(
  { store, platformDomain }: SystemMailDeps,
  what: string,
  instead = '',
): Promise<string> {
  const end = instead === '' ? '.' : `, ${instead}`;
  if (platformDomain === null) {
    throw new Refusal(
      'conflict',
      `No domain is configured for sending ${what}. Set MAILKEEL_PLATFORM_DOMAIN${end}`,
    );
  }
  const keys = await store.domains.dkimKeys([PLATFORM_OWNER]);
  if (!keys.some((key) => key.domain === platformDomain && key.state === 'active')) {
    throw new Refusal(
      'conflict',
      `The DKIM record of ${platformDomain} is not in DNS, so ${what} cannot be signed. Publish the record${end}`,
    );
  }
  return platformDomain;
}

/** A system mail: one recipient, plain text. */
export type SystemMail = Pick<Draft, 'priority' | 'subject' | 'text' | 'headers' | 'from'> & {
  publicId: string;
  to: string;
} & Partial<Pick<Draft, 'attachments' | 'tlsTerms' | 'nullSender'>>;

/** Answers go to the sender instead of a thread that nobody reads; mail with the null sender takes none. */
export function systemDraft({ publicId, to, ...mail }: SystemMail): Draft {
  return newDraft({
    ...mail,
    ...toOne(publicId, { email: to, name: null }),
    replyTo: mail.nullSender === true ? [] : [mail.from],
  });
}

export interface PostmasterMail {
  to: string;
  /** Our own domain. */
  domain: string;
  subject: string;
  text: string;
  /** Delivery is attempted for this long. */
  lifeMs: number;
  now: number;
}

/** Queues mail with a link from `postmaster@` our domain, in the system workspace; no plan counts it. */
export function planPostmasterMail(environment: EnvironmentRef, mail: PostmasterMail): Accept[] {
  const { to, domain, subject, text, lifeMs, now } = mail;
  const draft = systemDraft({
    publicId: newId('msg', now),
    to,
    priority: 'high',
    from: { email: `postmaster@${domain}`, name: null },
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
}
