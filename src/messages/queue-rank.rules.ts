// The order of mail for one destination: transactional before bulk, within each by priority. Kinds of bulk mail have ranks of
// their own, since routes may send them different ways: what one of them waits for must not hold the other.
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
