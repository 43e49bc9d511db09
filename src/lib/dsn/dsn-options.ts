// The DSN options of a message: which reports its submitter asks for (RFC 3461).

export const NOTIFY_KEYWORDS = ['NEVER', 'SUCCESS', 'FAILURE', 'DELAY'] as const;
export type NotifyKeyword = (typeof NOTIFY_KEYWORDS)[number];

export interface DsnOptions {
  /** The envelope sender, who gets the report. */
  sender: string;
  /** Null when the submitter said nothing. */
  notify: readonly NotifyKeyword[] | null;
  ret: 'FULL' | 'HDRS' | null;
  /** As given, in xtext. */
  envid: string | null;
  /** As given, in xtext: `rfc822;ann@example.com`. */
  orcpt: string | null;
}

/** The DSN options as they are stored with the message; null when no report is wanted. */
export function readDsnOptions(json: string | null): DsnOptions | null {
  return json === null ? null : (JSON.parse(json) as DsnOptions);
}
