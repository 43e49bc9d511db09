// Limits mail to people who may not have asked for it: sender and sign-up confirmations, invitations, and password resets. Mail
// is counted by address and by requester, independently of the requesting rows, so that deleting one resets nothing.
import { createHmac } from 'node:crypto';
import type { Change } from '../database/change.js';
import { countUnsolicitedMail } from './unsolicited-mail.store.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type UnsolicitedMailKind = 'confirmation' | 'invitation' | 'password_reset' | 'sign_up';

interface UnsolicitedMail {
  kind: UnsolicitedMailKind;
  emailKey: string;
  /** The requesting workspace or organization. Null for a visitor. */
  askedBy: string | null;
  now: number;
}

/** Limits per address, for all kinds together. */
const PER_ADDRESS = [
  { windowMs: HOUR_MS, limit: 5 },
  { windowMs: DAY_MS, limit: 10 },
] as const;
/** Daily limits per workspace or organization. They are high enough for a list that many people join within a day. */
const PER_ASKER: Record<UnsolicitedMailKind, number> = {
  confirmation: 100,
  invitation: 200,
  password_reset: Infinity,
  sign_up: 10_000,
};

/**
 * Returns the change that counts a mail in the transaction that queues it. Over the limit, the plan is refused with
 * `rate_limited`.
 */
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
