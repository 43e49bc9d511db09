// The mail that asks the owner of an address whether it may be used as a sender.
import type { EnvironmentRef } from '../../accounts/accounts.store.js';
import type { Accept } from '../../store/plan.js';
import { planPostmasterMail } from '../../messages/system-mail/system-mail.js';

const MAX_NAME = 80;

export interface ConfirmationMail {
  /** Whose wish it is. */
  organizationName: string;
  email: string;
  link: string;
  platformDomain: string;
  /** How long the link works, and the mail is tried. */
  lifeMs: number;
  now: number;
}

export function confirmationMail(environment: EnvironmentRef, mail: ConfirmationMail): Accept[] {
  const { email, platformDomain: domain, now, lifeMs } = mail;
  const subject = `Confirm ${email} as a sender`;
  return planPostmasterMail(environment, { to: email, domain, subject, text: textOf(mail), lifeMs, now });
}

function textOf({ organizationName, email, link, lifeMs }: ConfirmationMail): string {
  // The name is theirs, and this goes to strangers: no line of its own, no link, no essay.
  const name = organizationName
    .replace(/[\x00-\x1f\x7f"]+/g, ' ')
    .replace(/[.:/]+(?=\S)/g, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return [
    `"${name}" wants to send mail in the name of ${email}.`,
    '',
    'If you agree, open this page and confirm:',
    link,
    '',
    `The link works for ${Math.round(lifeMs / 3_600_000)} hours.`,
    'If you do not know what this is about, do nothing: without your confirmation no mail is sent in your name.',
    '',
  ].join('\n');
}
