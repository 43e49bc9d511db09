// Restricts work to one of several nodes at a time. The node that has the room does the work; giving it up
// waits for work in progress. A room may have parts, each for some workspaces, which nodes divide between
// them.

export interface Room {
  /** Enters the room; call the result to leave. Returns `null` if no part of the room is this node's. */
  enter(): (() => void) | null;
  /** Calls the listener whenever this node gets the room or a part of it. */
  onOpened(listener: () => void): void;
}

/** A room with parts, of which this node may have some. */
export interface DividedRoom extends Room {
  /** Returns whether this node does the work of a workspace. */
  has(workspaceNumber: number): boolean;
}

/** A room, or a part of one, opened and closed by the owner of the leases. */
export interface LeasedRoom extends Room {
  readonly isOpen: boolean;
  open(): void;
  /** Admits no new work. Resolves when work in progress has ended. */
  close(): Promise<void>;
}

export function createLeasedRoom(): LeasedRoom {
  const listeners: (() => void)[] = [];
  let isOpen = false;
  let inside = 0;
  const emptied: (() => void)[] = [];

  return {
    get isOpen() {
      return isOpen;
    },
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

/**
 * Joins parts into one room. Entering it enters all open parts, so each of them waits for the work when it
 * closes.
 */
export function joinParts(
  parts: readonly LeasedRoom[],
  partOf: (workspaceNumber: number) => LeasedRoom | undefined,
): DividedRoom {
  return {
    enter() {
      const leaves = parts.flatMap((part) => part.enter() ?? []);
      return leaves.length === 0 ? null : () => leaves.forEach((leave) => leave());
    },
    has: (workspaceNumber) => partOf(workspaceNumber)?.isOpen ?? false,
    onOpened(listener) {
      for (const part of parts) part.onOpened(listener);
    },
  };
}

/** Returns whether this node does the work of a workspace; always true without other nodes. */
export function isOurs(room: DividedRoom | undefined, workspaceNumber: number): boolean {
  return room?.has(workspaceNumber) ?? true;
}
