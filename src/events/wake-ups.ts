// Wake-ups after a commit. They start the next stage sooner; a lost one costs seconds, never mail.

export interface WakeUps {
  /** There are new queue rows. */
  queue(queueIds: readonly number[]): void;
  /** There are new events. */
  events(): void;
}
