import type { Change } from '../database/change.js'; // Mail that the server writes itself, from its own domain. `messages` implements it; accounts and domains send by it.

export interface SystemMessage {
  to: string;
  subject: string;
  text: string;
  /** Time (ms) for which delivery is attempted. */
  lifeMs: number;
  now: number;
}

export interface SystemMail {
  /**
   * Returns why the server cannot send its own mail, or null. `what` names the mail in the text, and `instead` suggests an
   * alternative.
   */
  problem(what: string, instead?: string): Promise<string | null>;
  /** Returns the changes that queue a message from `postmaster@` the server's domain. Call it only if `problem` returns null. */
  plan(message: SystemMessage): Promise<Change[]>;
}
