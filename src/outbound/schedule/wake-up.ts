// Notifies the scheduler that a limit has opened, so that it checks held queues again. Notifications within one turn of the event
// loop are combined, because each check covers every held queue.
export class WakeUp {
  #listener: (() => void) | null = null;
  #groupListener: ((group: string) => void) | null = null;
  #pending: NodeJS.Immediate | null = null;

  listen(listener: () => void): void {
    this.#listener = listener;
  }

  /** Listens for groups that queues wait for. */
  listenToGroups(listener: (group: string) => void): void {
    this.#groupListener = listener;
  }

  /** Checks only the queues that wait for the group. */
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
