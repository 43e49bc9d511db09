// Orders mail for one destination: transactional before bulk, and by priority within each. Each kind of bulk mail has its own rank,
// because routes may send the kinds differently, and a kind that waits must not delay the others.
import { PRIORITIES, type MessageType, type Priority } from '../contract/names.js';

/** Marketing and sales mail has this rank or a higher one. */
export const BULK_RANK = 3;

const BULK_TYPES: readonly MessageType[] = ['sales', 'marketing'];

/** 0 goes first. */
export function queueRank(type: MessageType, priority: Priority): number {
  const index = PRIORITIES.indexOf(priority);
  return type === 'transactional' ? index : BULK_RANK + BULK_TYPES.length * index + BULK_TYPES.indexOf(type);
}

/** The kind of mail that has this rank. */
export function typeOfRank(rank: number): MessageType {
  if (rank < BULK_RANK) return 'transactional';
  return BULK_TYPES[(rank - BULK_RANK) % BULK_TYPES.length] ?? 'marketing';
}
