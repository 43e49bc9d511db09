// Damage of the database that a statement or a check has met. It stays until a check finds everything in order, or a new start.
import { Refusal } from '../../contract/refusal.js';

export interface Damage {
  /** A sentence with the engine's own words; null: none is known. */
  current(): string | null;
  /** Remembers it; listeners are called for the first only. */
  note(reason: string): void;
  /** A check of the whole database has found nothing. */
  clear(): void;
  listen(listener: (reason: string) => void): void;
}

export interface DamageWatch extends Damage {
  /** The refusal `database_damaged` for an error that means damage, which is remembered; any other error as it is. */
  refusalOf(error: unknown): unknown;
}

export function createDamageWatch(isDamage: (error: unknown) => boolean): DamageWatch {
  let known: string | null = null;
  const listeners: ((reason: string) => void)[] = [];
  const damage: Damage = {
    current: () => known,
    note(reason) {
      if (known !== null) return;
      known = reason;
      for (const listener of listeners) listener(reason);
    },
    clear: () => void (known = null),
    listen: (listener) => void listeners.push(listener),
  };
  return {
    ...damage,
    refusalOf(error) {
      if (!isDamage(error)) return error;
      damage.note(error instanceof Error ? error.message : String(error));
      return new Refusal('database_damaged');
    },
  };
}
