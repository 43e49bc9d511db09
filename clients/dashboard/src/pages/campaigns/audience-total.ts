// The number of recipients that a campaign would have now.
import type { UseQueryResult } from '@tanstack/react-query';
import { useRead } from '../../data/read.js';

/** The server answers null for a while if a count has failed. */
const PAUSE_MS = 1_000;

/** Asks again while the server counts a large audience. */
export function useAudienceTotal(id: string, { isOff }: { isOff: boolean }): UseQueryResult<number> {
  return useRead(
    ['campaigns', id, 'total'],
    async (api, signal) => {
      for (;;) {
        const { total } = await api.campaigns.preview(id, { limit: 1 }, { signal });
        if (total !== null) return total;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    { isOff },
  );
}
