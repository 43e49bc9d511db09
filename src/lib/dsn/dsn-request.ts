// Decides which delivery reports to request from a peer (RFC 3461). They go to Mailkeel's own return path,
// independent of the submitter's wishes, and even an unwanted report reveals dead addresses.
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
  /** Public id of the message. */
  messageId: string;
  /** Empty for a report, which must not cause another report. */
  mailFrom: string;
  rcptTo: string;
}

/** Lengths that every peer must accept (RFC 3461 sections 4.4 and 4.2). */
const MAX_ENVID = 100;
const MAX_ORCPT = 500;

/**
 * Returns the parameters to send, or `null` for none. Requests everything from a smarthost, because its 250
 * says nothing about the delivery. Requests from other peers the submitter's notifications and always
 * failures; NOTIFY=NEVER is not passed on, because reports go to Mailkeel's return path. Malformed and
 * overlong values are left out.
 */
export function dsnRequest({ via, wish, messageId, mailFrom, rcptTo }: DsnFacts): DsnParameters | null {
  if (mailFrom === '') return null;
  if (via === 'smarthost') {
    return {
      ret: 'HDRS',
      ...envidParameter(encodeXtext(messageId)),
      notify: ['SUCCESS', 'FAILURE', 'DELAY'],
      ...orcptParameter(originalRecipient(rcptTo)),
    };
  }
  if (wish === null) return null;
  const asked = wish.notify?.filter((keyword) => keyword !== 'NEVER') ?? [];
  const request: DsnParameters = {
    ...(wish.ret === null ? {} : { ret: wish.ret }),
    ...envidParameter(wish.envid),
    ...(asked.length === 0 ? {} : { notify: asked.includes('FAILURE') ? asked : [...asked, 'FAILURE'] }),
    ...orcptParameter(wish.orcpt),
  };
  return Object.keys(request).length === 0 ? null : request;
}

function envidParameter(envid: string | null): Pick<DsnParameters, 'envid'> {
  const isSound = envid !== null && envid !== '' && envid.length <= MAX_ENVID && isXtext(envid);
  return isSound ? { envid } : {};
}

function orcptParameter(orcpt: string | null): Pick<DsnParameters, 'orcpt'> {
  const isSound =
    orcpt !== null && orcpt.length <= MAX_ORCPT && /^[a-z0-9-]+;./i.test(orcpt) && isSafe(orcpt);
  return isSound ? { orcpt } : {};
}

/**
 * Returns whether the value may be sent. The escapes of RFC 6533 are not xtext, but printable ASCII that
 * cannot end a parameter.
 */
function isSafe(orcpt: string): boolean {
  return isXtext(orcpt) || (/^utf-8;/i.test(orcpt) && !/[^!-*,-<>-~]/.test(orcpt));
}
