// Reasons why a message must not leave any more, whatever held when it was accepted: asked right before delivery.
import type { TopicFact } from '../../suppressions/suppression.rules.js';
import type { SkippedCopy } from '../outcome/attempt.rules.js';

export type Stop =
  /** The campaign is paused, or its copies are being canceled. */
  | { kind: 'held'; reason: 'campaign' }
  /** The recipient has left the list that the copy was made for, or that a message on its own stands for. */
  | { kind: 'suppressed'; reason: 'left_list'; topic?: TopicFact }
  /** The recipient is deleted, or not in the campaign's audience any more. */
  | SkippedCopy;

/** Finds those of the messages, by row id, that must not leave any more. */
export type StopsAmong = (messageIds: readonly number[]) => Promise<Map<number, Stop>>;

/** How campaigns and sequences stop their copies. */
export interface CopyStops {
  ofCampaigns: StopsAmong;
  ofSequences: StopsAmong;
}
