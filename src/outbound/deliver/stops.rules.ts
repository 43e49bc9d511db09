// Reasons that stop an accepted message. They are checked immediately before delivery.
import type { TopicFact } from '../../suppressions/suppression.rules.js';
import type { SkippedCopy } from '../outcome/attempt.rules.js';

export type Stop =
  /** The campaign is paused, or its copies are being canceled. */
  | { kind: 'held'; reason: 'campaign' }
  /** The recipient has left the list of the campaign, or of the message's topic. */
  | { kind: 'suppressed'; reason: 'left_list'; topic?: TopicFact }
  /** The recipient was deleted or is no longer in the campaign's audience. */
  | SkippedCopy;

/** Finds the stopped messages among the given ones, by row id. */
export type StopsAmong = (messageIds: readonly number[]) => Promise<Map<number, Stop>>;

/** How campaigns and sequences stop their copies. */
export interface CopyStops {
  ofCampaigns: StopsAmong;
  ofSequences: StopsAmong;
}
