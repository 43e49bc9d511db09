// Counts of a campaign from its own rows: messages by status, and skipped recipients by reason. Counting a large campaign takes
// many steps, so counts are cached until the campaign changes, and concurrent requests share one count.
import type { MessageStatus } from '../contract/names.js';
import type { Clock } from '../lib/runtime/index.js';
import type { CampaignStore } from './campaigns.store.js';

export interface CampaignCounts {
  byStatus: ReadonlyMap<MessageStatus, number>;
  skipped: ReadonlyMap<string, number>;
}

interface CountedCampaign {
  id: string;
  /** Changes whenever the counts change. */
  version: string;
}

type CountCampaign = (campaign: CountedCampaign) => Promise<CampaignCounts>;

interface Kept {
  version: string;
  counts: Promise<CampaignCounts>;
  /** Time until which the count is recent enough. */
  freshUntil: number;
}

const MAX_KEPT = 200;
/** Counting takes at most this fraction (1/n) of the time, however often it is requested. */
const SHARE = 10;

export function createCampaignCounts(
  { statistics }: Pick<CampaignStore, 'statistics'>,
  clock: Clock,
): CountCampaign {
  const kept = new Map<string, Kept>();

  async function count(id: string): Promise<CampaignCounts> {
    return {
      byStatus: await statistics.statuses(id),
      skipped: await statistics.skippedReasons(id),
    };
  }

  return async ({ id, version }) => {
    const known = kept.get(id);
    const startedAt = clock();
    if (known && (known.version === version || startedAt < known.freshUntil)) return known.counts;
    const entry: Kept = { version, counts: count(id), freshUntil: Infinity };
    kept.delete(id);
    kept.set(id, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    try {
      const counts = await entry.counts;
      const endedAt = clock();
      entry.freshUntil = endedAt + SHARE * (endedAt - startedAt);
      return counts;
    } catch (error) {
      kept.delete(id);
      throw error;
    }
  };
}
