// The number of recipients that a campaign would have now.
import type { UseQueryResult } from '@tanstack/react-query';
import { useRead } from '../../data/read.js';

/** Asks again while the server counts a large audience, which answers each time after two seconds at most. */
export function useAudienceTotal(id: string, { isOff }: { isOff: boolean }): UseQueryResult<number> {
  return useRead(
    ['campaigns', id, 'total'],
    async (api, signal) => {
      for (;;) {
        const { total } = await api.campaigns.preview(id, { limit: 1 }, { signal });
        if (total !== null) return total;
      }
    },
    { isOff },
  );
}
