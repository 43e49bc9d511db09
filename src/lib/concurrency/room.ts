// Work that one of several nodes does at a time. A node that has the room runs the work; one that is to give it up waits for what is
// under way. A room may have parts, which several nodes have between them, each for some of the workspaces.

export interface Room {
  /** Counts a piece of work until the returned function is called; null: nothing of the room is this node's. */
  enter(): (() => void) | null;
  /** Calls the listener whenever this node gets the room, or a part of it. */
  onOpened(listener: () => void): void;
}

/** A room with parts: this node may have some of them. */
export interface DividedRoom extends Room {
  /** Whether this node does the room's work of a workspace. */
  has(workspaceNumber: number): boolean;
}

/** A room, or a part of one, that is opened and closed by whoever knows of the leases. */
export interface LeasedRoom extends Room {
  readonly isOpen: boolean;
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

/** One room of its parts. Work in it is work in all parts that are open, so each of them ends after it. */
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

/** Whether the work of a workspace is this node's: always where there is no other node. */
export function isOurs(room: DividedRoom | undefined, workspaceNumber: number): boolean {
  return room?.has(workspaceNumber) ?? true;
}
