// Mail to people about their accounts, with a link that opens something: queued in the appliance's own workspace, where no
// key and no member can read it.
import { Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Accept } from '../../store/plan.js';
import type { Store } from '../../store/store.js';
import { systemMailDomain, planPostmasterMail } from '../../messages/system-mail/system-mail.js';
import { systemEnvironment } from '../../messages/system-mail/system-workspace.js';

const MAX_NAME = 80;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface AccountMail {
  to: string;
  subject: string;
  text: string;
  /** Time (ms) that the link works, and the mail is tried. */
  lifeMs: number;
}

export interface AccountMailDeps {
  store: Pick<Store, 'accounts' | 'domains' | 'commit'>;
  platformDomain: string | null;
  clock: Clock;
}

export interface AccountMailer {
  /** The changes that queue a mail. Null while the appliance has no domain to send from, or no signature for it. */
  plan(mail: AccountMail): Promise<Accept[] | null>;
  /** Refuses with `conflict` while `plan` answers null; `what` names the mail, and `instead` the other way. */
  refuseUnlessMayLeave(what: string, instead: string): Promise<void>;
}

export function createAccountMailer(deps: AccountMailDeps): AccountMailer {
  const { store, clock } = deps;
  return {
    async plan({ to, subject, text, lifeMs }) {
      const domain = await ownDomain(deps);
      if (domain === null) return null;
      const now = clock();
      const environment = await systemEnvironment(store, now);
      return planPostmasterMail(environment, { to, domain, subject, text, lifeMs, now });
    },
    async refuseUnlessMayLeave(what, instead) {
      await systemMailDomain(deps, what, instead);
    },
  };
}

async function ownDomain(deps: AccountMailDeps): Promise<string | null> {
  try {
    return await systemMailDomain(deps, 'mail about accounts');
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return null;
    throw error;
  }
}

export function invitationMail(mail: {
  to: string;
  organizationName: string;
  link: string;
  lifeMs: number;
}): AccountMail {
  const { to, link, lifeMs } = mail;
  const name = shownName(mail.organizationName);
  const text = [
    `You have been invited to join "${name}" on Mailkeel.`,
    '',
    'To accept the invitation, open this page:',
    link,
    '',
    `This link expires in ${spell(lifeMs)}.`,
    'If you did not expect this invitation, you can ignore this email.',
    '',
  ].join('\n');
  return { to, subject: 'Invitation to Mailkeel', text, lifeMs };
}

export function resetMail(mail: { to: string; link: string; lifeMs: number }): AccountMail {
  const { to, link, lifeMs } = mail;
  const text = [
    'We received a request to reset the password of your Mailkeel account.',
    '',
    'To choose a new password, open this page:',
    link,
    '',
    `This link works once and expires in ${spell(lifeMs)}.`,
    'If you did not request this, ignore this email. Your password does not change.',
    '',
  ].join('\n');
  return { to, subject: 'Reset your Mailkeel password', text, lifeMs };
}

/** The name is theirs, and this goes to people who did not ask for it: no line of its own, no link, no essay. */
function shownName(name: string): string {
  return name
    .replace(/[\x00-\x1f\x7f"]+/g, ' ')
    .replace(/[.:/]+(?=\S)/g, ' ')
    .trim()
    .slice(0, MAX_NAME);
}

function spell(lifeMs: number): string {
  if (lifeMs >= 2 * DAY_MS) return `${Math.round(lifeMs / DAY_MS)} days`;
  if (lifeMs >= 2 * HOUR_MS) return `${Math.round(lifeMs / HOUR_MS)} hours`;
  return `${Math.max(1, Math.round(lifeMs / 60_000))} minutes`;
}
