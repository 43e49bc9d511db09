// Work that one of several nodes does at a time. A node that has the room runs the work; one that is to give it up waits for what is
// under way.

export interface Room {
  /** Counts a piece of work until the returned function is called; null: the room is another node's. */
  enter(): (() => void) | null;
  /** Calls the listener whenever this node gets the room. */
  onOpened(listener: () => void): void;
}

/** A room that is opened and closed by whoever knows of the leases. */
export interface LeasedRoom extends Room {
  open(): void;
  /** Nothing begins any more; resolves when what is under way has ended. */
  close(): Promise<void>;
}

export function createLeasedRoom(): LeasedRoom {
  const listeners: (() => void)[] = [];
  let isOpen = false;
  let inside = 0;
  const emptied: (() => void)[] = [];

  return {
    enter() {
      if (!isOpen) return null;
      inside += 1;
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        inside -= 1;
        if (inside > 0) return;
        for (const listener of emptied.splice(0)) listener();
      };
    },
    onOpened: (listener) => void listeners.push(listener),
    open() {
      if (isOpen) return;
      isOpen = true;
      for (const listener of listeners) listener();
    },
    close() {
      isOpen = false;
      return inside === 0 ? Promise.resolve() : new Promise((resolve) => void emptied.push(resolve));
    },
  };
}
