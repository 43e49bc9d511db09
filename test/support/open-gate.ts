// A gate that is open for up to so many messages of each domain.
import type { Gate } from '../../src/outbound/schedule/admission.js';

export function openGate(perDomain: number): Gate {
  const inFlight = new Map<string, number>();
  return {
    allow({ domain }) {
      const room = perDomain - (inFlight.get(domain) ?? 0);
      return room > 0 ? { kind: 'go', room, place: domain } : { kind: 'full', place: domain };
    },
    take: (_lane, place, count) => void inFlight.set(place, (inFlight.get(place) ?? 0) + count),
    unused: () => undefined,
    giveBack: (place, count) => void inFlight.set(place, (inFlight.get(place) ?? 0) - count),
  };
}
