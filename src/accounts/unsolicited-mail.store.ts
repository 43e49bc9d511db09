// Applies the limits of unsolicited mail.
import { refuse } from '../database/refuse.js';
import { defineChange } from '../database/change.js';

const COUNT = `INSERT INTO unsolicited_mail (subject, window_start, mails, expires_at) VALUES (?, ?, 1, ?)
  ON CONFLICT (subject, window_start) DO UPDATE SET mails = unsolicited_mail.mails + 1 RETURNING mails`;
const TOO_MANY = {
  code: 'rate_limited',
  message:
    'Too many emails of this type were sent to this address or requested from this network recently. Try again in a few hours.',
} as const;

interface CountUnsolicitedMail {
  counters: readonly { subject: Uint8Array; windowStart: number; expiresAt: number; limit: number }[];
}

/** Stands in a plan beside the mail that it counts. Refuses it with `rate_limited` when a counter is over its limit. */
export const countUnsolicitedMail = defineChange<CountUnsolicitedMail>(
  'count-unsolicited-mail',
  async ({ tx }, { counters }) => {
    for (const { subject, windowStart, expiresAt, limit } of counters) {
      const [row] = await tx.run(COUNT, [subject, windowStart, expiresAt]);
      if (Number(row?.['mails'] ?? 0) > limit) refuse(TOO_MANY);
    }
  },
);
