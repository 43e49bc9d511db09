// Limits that admit a given number of messages for each domain.
import type { Admission } from '../../src/outbound/schedule/admission.js';
import { Reservation } from '../../src/outbound/shape/limit.js';

export function openAdmission(perDomain: number): Admission {
  const inFlight = new Map<string, number>();
  const add = (group: string, count: number): void =>
    void inFlight.set(group, (inFlight.get(group) ?? 0) + count);
  return {
    check({ domain: group }) {
      const capacity = perDomain - (inFlight.get(group) ?? 0);
      const reason = { code: 'concurrency_limited', until: null, detail: '' } as const;
      return capacity > 0 ? { kind: 'open', capacity, group } : { kind: 'at_limit', group, reason };
    },
    reserve(_queue, group, count) {
      add(group, count);
      const release = (ended: number): boolean => {
        add(group, -ended);
        return false;
      };
      return new Reservation(group, [release], count);
    },
  };
}

/** A limit that is closed until then. */
export function closedUntil(until: number | null): ReturnType<Admission['check']> {
  return { kind: 'closed', reason: { code: 'rate_limited', until, detail: '' } };
}
