// Sends counted per environment, UTC day and type. Within one group commit each counter is written once.
import type { Kysely } from 'kysely';
import type { MessageType } from '../contract/names.js';
import type { Tx } from './engine/engine.js';
import type { Tables } from './tables.js';

const ADD = `INSERT INTO usage (environment_id, day, type, sends) VALUES (?, ?, ?, ?)
  ON CONFLICT (environment_id, day, type) DO UPDATE SET sends = usage.sends + excluded.sends`;

interface Count {
  environmentId: number;
  day: number;
  type: MessageType;
  sends: number;
}

export interface UsageCounter {
  add(count: Count): void;
  /** The plan succeeded; what it counted stays. */
  keep(): void;
}

/** Counters of one transaction. */
export function createUsageCounter(tx: Tx): { counter(): UsageCounter; save(): Promise<void> } {
  const kept = new Map<string, Count>();
  return {
    counter() {
      const added: Count[] = [];
      return {
        add: (count) => void added.push(count),
        keep() {
          for (const count of added) {
            const key = `${count.environmentId}/${count.day}/${count.type}`;
            const known = kept.get(key);
            if (known) known.sends += count.sends;
            else kept.set(key, { ...count });
          }
        },
      };
    },
    async save() {
      for (const count of kept.values())
        await tx.run(ADD, [count.environmentId, count.day, count.type, count.sends]);
    },
  };
}

/** Sends of an environment on one UTC day and since the first day of its month. */
export async function usageOf(
  db: Kysely<Tables>,
  environmentId: number,
  days: { today: number; monthStart: number },
): Promise<{ day: number; month: number }> {
  const rows = await db
    .selectFrom('usage')
    .select(['day', 'sends'])
    .where('environment_id', '=', environmentId)
    .where('day', '>=', days.monthStart)
    .execute();
  let day = 0;
  let month = 0;
  for (const row of rows) {
    month += row.sends;
    if (row.day === days.today) day += row.sends;
  }
  return { day, month };
}
