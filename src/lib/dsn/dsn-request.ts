// Which delivery reports a peer is asked for with a message (RFC 3461). They come to our return path, whatever the submitter is
// told: that is ours to say, and a report that nobody wanted may still teach which addresses are dead.
import { encodeXtext, isXtext, originalRecipient } from './xtext.js';
import type { DsnOptions, NotifyKeyword } from './dsn-options.js';

export interface DsnParameters {
  ret?: 'FULL' | 'HDRS';
  /** In xtext. */
  envid?: string;
  notify?: readonly NotifyKeyword[];
  /** Address type and address, in xtext: `rfc822;ann@example.com`. */
  orcpt?: string;
}

export interface DsnFacts {
  via: 'mta' | 'smarthost';
  wish: Pick<DsnOptions, 'notify' | 'ret' | 'envid' | 'orcpt'> | null;
  /** Our public id of the message. */
  messageId: string;
  /** Empty for a report, of which nobody reports. */
  mailFrom: string;
  rcptTo: string;
}

/** RFC 3461 sections 4.4 and 4.2: the most characters that a peer must take. */
const MAX_ENVID = 100;
const MAX_ORCPT = 500;

/**
 * A smarthost is asked for everything, about the recipient as we know it, since its 250 says nothing of the delivery. Any other peer is asked for what the submitter
 * wants to know, and for failures beside it: NOTIFY=NEVER stays between the submitter and us, as our return path takes the report.
 * Null asks for nothing. What is malformed or too long is left out.
 */
export function dsnRequest({ via, wish, messageId, mailFrom, rcptTo }: DsnFacts): DsnParameters | null {
  if (mailFrom === '') return null;
  if (via === 'smarthost') {
    return {
      ret: 'HDRS',
      ...envidOf(encodeXtext(messageId)),
      notify: ['SUCCESS', 'FAILURE', 'DELAY'],
      ...orcptOf(originalRecipient(rcptTo)),
    };
  }
  if (wish === null) return null;
  const asked = wish.notify?.filter((keyword) => keyword !== 'NEVER') ?? [];
  const request: DsnParameters = {
    ...(wish.ret === null ? {} : { ret: wish.ret }),
    ...envidOf(wish.envid),
    ...(asked.length === 0 ? {} : { notify: asked.includes('FAILURE') ? asked : [...asked, 'FAILURE'] }),
    ...orcptOf(wish.orcpt),
  };
  return Object.keys(request).length === 0 ? null : request;
}

function envidOf(envid: string | null): Pick<DsnParameters, 'envid'> {
  const isSound = envid !== null && envid !== '' && envid.length <= MAX_ENVID && isXtext(envid);
  return isSound ? { envid } : {};
}

function orcptOf(orcpt: string | null): Pick<DsnParameters, 'orcpt'> {
  const isSound =
    orcpt !== null && orcpt.length <= MAX_ORCPT && /^[a-z0-9-]+;./i.test(orcpt) && isSafe(orcpt);
  return isSound ? { orcpt } : {};
}

/** The escapes of RFC 6533 are no xtext, but printable ascii that ends no parameter. */
function isSafe(orcpt: string): boolean {
  return isXtext(orcpt) || (/^utf-8;/i.test(orcpt) && !/[^!-*,-<>-~]/.test(orcpt));
}
