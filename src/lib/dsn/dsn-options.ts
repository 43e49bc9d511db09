// What the submitter of a message wants to be told by mail about its fate (RFC 3461).

export const NOTIFY_KEYWORDS = ['NEVER', 'SUCCESS', 'FAILURE', 'DELAY'] as const;
export type NotifyKeyword = (typeof NOTIFY_KEYWORDS)[number];

export interface DsnOptions {
  /** The envelope sender, who is told. */
  sender: string;
  /** Null when the submitter said nothing. */
  notify: readonly NotifyKeyword[] | null;
  ret: 'FULL' | 'HDRS' | null;
  /** As given, in xtext. */
  envid: string | null;
  /** As given, in xtext: `rfc822;ann@example.com`. */
  orcpt: string | null;
}

/** The wish as it is kept with the message; null when nobody is to be told anything. */
export function readDsnOptions(json: string | null): DsnOptions | null {
  return json === null ? null : (JSON.parse(json) as DsnOptions);
}
