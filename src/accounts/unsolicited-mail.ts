// Limits unsolicited mail, to people who may never have asked for any: confirmations of senders and sign-ups, invitations, new
// passwords. Counted by address and by who asks, apart from the rows that ask, so that deleting one sets nothing back.
import { createHmac } from 'node:crypto';
import type { Change } from '../database/change.js';
import { countUnsolicitedMail } from './unsolicited-mail.store.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type UnsolicitedMailKind = 'confirmation' | 'invitation' | 'password_reset' | 'sign_up';

interface UnsolicitedMail {
  kind: UnsolicitedMailKind;
  emailKey: string;
  /** The workspace or organization that asks; null where a visitor does. */
  askedBy: string | null;
  now: number;
}

/** To one address, of all kinds together. */
const PER_ADDRESS = [
  { windowMs: HOUR_MS, limit: 5 },
  { windowMs: DAY_MS, limit: 10 },
] as const;
/** Of one workspace or organization in a day; a list that many join at once is no abuse. */
const PER_ASKER: Record<UnsolicitedMailKind, number> = {
  confirmation: 100,
  invitation: 200,
  password_reset: Infinity,
  sign_up: 10_000,
};

/** Counts one mail, in the transaction that queues it; refuses the plan with `rate_limited` when it is one too many. */
export type CountUnsolicited = (mail: UnsolicitedMail) => Change;

export function createUnsolicitedMailLimit(masterKey: Buffer): CountUnsolicited {
  const subjectOf = (what: string): Buffer =>
    createHmac('sha256', masterKey).update(`stranger-mail ${what}`).digest();
  return ({ kind, emailKey, askedBy, now }) => {
    const limits = PER_ADDRESS.map(({ windowMs, limit }) => ({ of: `address ${emailKey}`, windowMs, limit }));
    const ofAsker =
      askedBy === null ? [] : [{ of: `asker ${kind} ${askedBy}`, windowMs: DAY_MS, limit: PER_ASKER[kind] }];
    return countUnsolicitedMail({
      counters: [...limits, ...ofAsker].map(({ of, windowMs, limit }) => {
        const start = Math.floor(now / windowMs) * windowMs;
        return {
          subject: subjectOf(`${windowMs} ${of}`),
          windowStart: start,
          expiresAt: start + 2 * windowMs,
          limit,
        };
      }),
    });
  };
}
