// The random split of a campaign. Assigns contacts to groups, and chooses the winner for the rest.
import { createHash } from 'node:crypto';
import type { SplitMetric } from '../contract/names.js';

export interface SplitVariant {
  key: string;
  /** `null` for the campaign's template. */
  template_id: string | null;
  /** `null` for the template's subject, or for the campaign's if it uses the campaign's template. */
  subject: string | null;
}

/** The split as stored in a campaign's row. */
export interface Split {
  /** Two to four. */
  variants: readonly SplitVariant[];
  /** Share of the audience that tests the variants. The others wait for the winner. */
  test_percent: number;
  metric: SplitMetric;
  /** Time from the end of the test group's fan-out to the choice of the winner. */
  wait_minutes: number;
}

/** 48 bits of a hash fit a number exactly. */
const HASH_BITS = 48;
const HASH_OCTETS = HASH_BITS / 8;

/**
 * Returns the key of a contact's variant, or null for the rest, who wait for the winner. The result is stable for a campaign and
 * contact, evenly distributed over contacts, and independent between campaigns.
 */
export function splitGroup(split: Split, campaignId: string, contactNumber: number): string | null {
  const digest = createHash('sha256').update(`${campaignId}:${contactNumber}`).digest();
  // Two independent numbers, so that the test share does not affect which variant a contact gets.
  const isTested = fraction(digest, 0) * 100 < split.test_percent;
  if (!isTested) return null;
  const place = Math.floor(fraction(digest, HASH_OCTETS) * split.variants.length);
  return split.variants[place]?.key ?? null;
}

/** Returns a number in [0, 1). */
function fraction(digest: Buffer, offset: number): number {
  return digest.readUIntBE(offset, HASH_OCTETS) / 2 ** HASH_BITS;
}

/** Counts of one variant: sent messages, and unique people who opened or clicked. */
export interface SplitCounts {
  sent: number;
  opened: number;
  clicked: number;
}

/**
 * Returns the key with the highest rate of the split's metric among sent messages. Of equal rates, and without any counts, the
 * first wins. Throws for a split without variants, which is never stored.
 */
export function splitWinner(split: Split, counts: ReadonlyMap<string, SplitCounts>): string {
  let best: { key: string; rate: number } | null = null;
  for (const { key } of split.variants) {
    const counted = counts.get(key);
    const rate = counted === undefined || counted.sent <= 0 ? 0 : counted[split.metric] / counted.sent;
    if (best === null || rate > best.rate) best = { key, rate };
  }
  if (best === null) throw new Error('A split without variants.');
  return best.key;
}
