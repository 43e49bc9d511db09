// A room among nodes, without nodes: the test decides which node does its work.
import type { DividedRoom } from '../../src/lib/concurrency/index.js';

/** The room as one of several nodes sees it that has all of it, or, with `isMine` false, nothing. */
export function sharedRoom(isMine: boolean): DividedRoom & { isMine: boolean } {
  return {
    isMine,
    enter: () => () => undefined,
    has() {
      return this.isMine;
    },
    onOpened: () => undefined,
  };
}
