// Applies the limits of unsolicited mail.
import type { unsolicitedMail } from './sign-in/sign-in.tables.js';
import { refuse } from '../database/refuse.js';
import type { TablesOf } from '../database/columns.js';
import { defineChange } from '../database/change.js';

type Known = TablesOf<typeof unsolicitedMail>;

const TOO_MANY = {
  code: 'rate_limited',
  message:
    'Too many emails of this type were sent to this address or requested from this network recently. Try again in a few hours.',
} as const;

interface CountUnsolicitedMail {
  counters: readonly { subject: Uint8Array; windowStart: number; expiresAt: number; limit: number }[];
}

/** Counts mail in the plan that queues it. Refuses the plan with `rate_limited` if a counter exceeds its limit. */
export const countUnsolicitedMail = defineChange<CountUnsolicitedMail>(
  'count-unsolicited-mail',
  async ({ tx }, { counters }) => {
    for (const { subject, windowStart, expiresAt, limit } of counters) {
      const { mails } = await tx.db
        .$extendTables<Known>()
        .insertInto('unsolicited_mail')
        .values({ subject, window_start: windowStart, mails: 1, expires_at: expiresAt })
        .onConflict((known) =>
          known
            .columns(['subject', 'window_start'])
            .doUpdateSet((eb) => ({ mails: eb('unsolicited_mail.mails', '+', 1) })),
        )
        .returning('mails')
        .executeTakeFirstOrThrow();
      if (mails > limit) refuse(TOO_MANY);
    }
  },
);
