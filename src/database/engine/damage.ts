// Remembers database damage found by a statement or a check, until a check finds none or the server restarts.
import { Refusal } from '../../contract/refusal.js';

export interface Damage {
  /** A sentence with the engine's message; null if no damage is known. */
  current(): string | null;
  /** Records damage and calls the listeners the first time. */
  note(reason: string): void;
  /** Called when a check of the whole database finds no damage. */
  clear(): void;
  listen(listener: (reason: string) => void): void;
}

interface DamageWatch extends Damage {
  /** Records an error that indicates damage and returns the refusal `database_damaged`; returns any other error unchanged. */
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
