// The account of Amazon SES: the plan's quota, and the rate limit of the key.
import { Refusal } from '../../contract/refusal.js';
import { compatRoute, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';

/** Messages per second that are shown if there is no limit. */
const NO_RATE_LIMIT = 1000;
/** The value with which SES indicates that there is no quota. */
const UNLIMITED = -1;

export const ACCOUNT_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/v2/email/account',
    permission: 'send',
    async handle({ v1, mode }) {
      return {
        body: {
          DedicatedIpAutoWarmupEnabled: false,
          EnforcementStatus: 'HEALTHY',
          ProductionAccessEnabled: mode === 'live',
          SendQuota: await readQuota(v1),
          SendingEnabled: true,
          SuppressionAttributes: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
        },
      };
    },
  }),
];

/**
 * Reads the sends of this day, and how many the plan allows for it. A key that may only send, or that belongs to a sub-tenant, does
 * not see the plan, and gets no quota, because clients ask for it before they send.
 */
export async function readQuota(v1: V1) {
  const { used, most } = await readDay(v1);
  const perMinute = v1.perMinute();
  return {
    Max24HourSend: most ?? UNLIMITED,
    MaxSendRate: perMinute === null ? NO_RATE_LIMIT : Math.max(1, Math.floor(perMinute / 60)),
    SentLast24Hours: used,
  };
}

async function readDay(v1: V1): Promise<{ used: number; most: number | null }> {
  try {
    const { day, month } = await v1.usage();
    const left = [day.remaining, month.remaining].filter((count) => count !== null);
    return { used: day.used, most: left.length === 0 ? null : day.used + Math.min(...left) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'forbidden') throw error;
    return { used: 0, most: null };
  }
}
