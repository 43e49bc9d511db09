// The order of mail for one destination: transactional before bulk, within each by priority. Kinds of bulk mail have ranks of
// their own, since routes may send them different ways: what one of them waits for must not hold the other.
import { PRIORITIES, type MessageType, type Priority } from '../../contract/names.js';
import { BULK_RANK } from '../shape/in-flight-window.rules.js';

const BULK_TYPES: readonly MessageType[] = ['sales', 'marketing'];

/** 0 goes first. */
export function queueRank(type: MessageType, priority: Priority): number {
  const place = PRIORITIES.indexOf(priority);
  return type === 'transactional' ? place : BULK_RANK + BULK_TYPES.length * place + BULK_TYPES.indexOf(type);
}

/** The kind of mail that has this rank. */
export function typeOfRank(rank: number): MessageType {
  if (rank < BULK_RANK) return 'transactional';
  return BULK_TYPES[(rank - BULK_RANK) % BULK_TYPES.length] ?? 'marketing';
}
