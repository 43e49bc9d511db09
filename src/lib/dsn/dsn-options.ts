// Defines the DSN options of a message: the reports that its submitter requested (RFC 3461).

const NOTIFY_KEYWORDS = ['NEVER', 'SUCCESS', 'FAILURE', 'DELAY'] as const;
export type NotifyKeyword = (typeof NOTIFY_KEYWORDS)[number];

export interface DsnOptions {
  /** The envelope sender, who receives the report. */
  sender: string;
  /** `null` if the submitter gave none. */
  notify: readonly NotifyKeyword[] | null;
  ret: 'FULL' | 'HDRS' | null;
  /** ENVID as written, in xtext. */
  envid: string | null;
  /** ORCPT as written, in xtext: `rfc822;ann@example.com`. */
  orcpt: string | null;
}

/** Parses the options stored with a message; `null` if no report is wanted. */
export function readDsnOptions(json: string | null): DsnOptions | null {
  return json === null ? null : (JSON.parse(json) as DsnOptions);
}
