// Tells the scheduler that a limit has opened: queues that it holds are to be checked again. Many in one turn of the event
// loop are one, since each check is of every queue that is held.
export class WakeUp {
  #listener: (() => void) | null = null;
  #groupListener: ((group: string) => void) | null = null;
  #pending: NodeJS.Immediate | null = null;

  listen(listener: () => void): void {
    this.#listener = listener;
  }

  /** Of groups that queues wait for by name. */
  listenToGroups(listener: (group: string) => void): void {
    this.#groupListener = listener;
  }

  /** Queues that wait for the group, and no others, are to be checked again. */
  notifyGroup(group: string): void {
    this.#groupListener?.(group);
  }

  notify(): void {
    if (this.#pending !== null) return;
    this.#pending = setImmediate(() => {
      this.#pending = null;
      this.#listener?.();
    });
  }
}
