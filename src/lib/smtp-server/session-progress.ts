// Tracks the progress of one SMTP session. Commands that lead no further don't count, because a client could
// repeat them forever.
import type { Seat } from './session-places.js';

/** Stages of a session since its last accepted message. Each accepted recipient is a step beyond `mail`. */
const STAGES = { secured: 1, signedIn: 2, mail: 3, data: Infinity };

export function createSessionProgress(seat: Pick<Seat, 'progressed'>) {
  let stage = 0;
  let recipients = 0;

  function reached(next: number): void {
    if (next <= stage) return;
    stage = next;
    seat.progressed();
  }

  return {
    secured: () => reached(STAGES.secured),
    signedIn: () => reached(STAGES.signedIn),
    mailBegan() {
      recipients = 0;
      reached(STAGES.mail);
    },
    recipientTaken() {
      recipients += 1;
      reached(STAGES.mail + recipients);
    },
    dataBegan: () => reached(STAGES.data),
    messageTaken() {
      stage = STAGES.signedIn;
      seat.progressed();
    },
  };
}
