// How far the forgetting of old messages has come.

export interface RetentionCursorTable {
  environment_id: number;
  /** Row id of the last message that was looked at. */
  done_up_to: number;
}
