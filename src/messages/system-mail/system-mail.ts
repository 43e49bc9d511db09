// Mail of the appliance's own: the domain that it comes from, with a signature that receivers can check, and its form.
import { Refusal } from '../../contract/refusal.js';
import { newId } from '../../lib/runtime/ids.js';
import type { EnvironmentRef } from '../../accounts/accounts.store.js';
import type { Accept } from '../../store/plan.js';
import type { Store } from '../../store/store.js';
import { PLATFORM_OWNER } from '../../tenants/tenants.store.js';
import { systemDraft } from './system-draft.js';
import { planMessages } from '../accept/plan-message.js';

export interface SystemMailDeps {
  store: Pick<Store, 'tenants'>;
  /** POSTHORN_PLATFORM_DOMAIN; null when the appliance has none. */
  platformDomain: string | null;
}

/** Refuses `conflict` with what to do, while there is none. `what` is the mail in question. */
export async function systemMailDomain(
  { store, platformDomain }: SystemMailDeps,
  what: string,
  instead = '',
): Promise<string> {
  const end = instead === '' ? '.' : `, ${instead}`;
  if (platformDomain === null) {
    const message = `This appliance has no domain to send ${what} from: set POSTHORN_PLATFORM_DOMAIN${end}`;
    throw new Refusal('conflict', message);
  }
  const keys = await store.tenants.dkimKeys([PLATFORM_OWNER]);
  if (!keys.some((key) => key.domain === platformDomain && key.state === 'active')) {
    const message = `The DKIM record of ${platformDomain} is not in DNS yet, so ${what} cannot be signed: publish it${end}`;
    throw new Refusal('conflict', message);
  }
  return platformDomain;
}

export interface PostmasterMail {
  to: string;
  /** Our own domain. */
  domain: string;
  subject: string;
  text: string;
  /** How long it is tried. */
  lifeMs: number;
  now: number;
}

/** Mail with a link, from `postmaster@` our domain: what queues it, in the appliance's own workspace, counted by no plan. */
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
