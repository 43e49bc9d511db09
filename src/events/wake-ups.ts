// Wake-ups after a commit start the next stage sooner. A lost one costs seconds, but never mail.

export interface WakeUps {
  /** Called for queues with new messages. */
  queue(queueIds: readonly number[]): void;
  /** Called for new events. */
  events(): void;
}
