// Texts of account mail with a link.
import type { SystemMessage } from '../system-mail.js';

const MAX_NAME = 80;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type AccountMail = Omit<SystemMessage, 'now'>;

export function invitationMail(mail: {
  to: string;
  organizationName: string;
  link: string;
  lifeMs: number;
}): AccountMail {
  const { to, link, lifeMs } = mail;
  const name = sanitizedName(mail.organizationName);
  const text = [
    `You have been invited to join "${name}" on Mailkeel.`,
    '',
    'To accept the invitation, open this page:',
    link,
    '',
    `This link expires in ${durationText(lifeMs)}.`,
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
    `This link works once and expires in ${durationText(lifeMs)}.`,
    'If you did not request this, ignore this email. Your password does not change.',
    '',
  ].join('\n');
  return { to, subject: 'Reset your Mailkeel password', text, lifeMs };
}

/** Sanitizes a name chosen by someone else, because the recipient did not ask for this mail: one line, no links, limited length. */
function sanitizedName(name: string): string {
  return name
    .replace(/[\x00-\x1f\x7f"]+/g, ' ')
    .replace(/[.:/]+(?=\S)/g, ' ')
    .trim()
    .slice(0, MAX_NAME);
}

function durationText(lifeMs: number): string {
  if (lifeMs >= 2 * DAY_MS) return `${Math.round(lifeMs / DAY_MS)} days`;
  if (lifeMs >= 2 * HOUR_MS) return `${Math.round(lifeMs / HOUR_MS)} hours`;
  return `${Math.max(1, Math.round(lifeMs / 60_000))} minutes`;
}
