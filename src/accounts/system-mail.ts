import type { Change } from '../database/change.js'; // Mail that the server writes itself, from its own domain. `messages` implements it; accounts and domains send by it.

export interface SystemMessage {
  to: string;
  subject: string;
  text: string;
  /** Delivery is attempted for this long (ms). */
  lifeMs: number;
  now: number;
}

export interface SystemMail {
  /**
   * Says why the server cannot send mail of its own; null if it can. `what` names the mail in the text, and `instead` another
   * way to the same end.
   */
  problem(what: string, instead?: string): Promise<string | null>;
  /** Returns the changes that queue a message from `postmaster@` the server's domain. Call it only while `problem` is null. */
  plan(message: SystemMessage): Promise<Change[]>;
}
