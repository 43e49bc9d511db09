// Length limits of other vendors' request fields, checked before any work. /v1 enforces and reports the actual limits.
import { Type } from 'typebox';

export const MAX_LINE = 16_384;
/** A name, subject, address, id or header. */
export const LINE = Type.String({ maxLength: MAX_LINE });
/** Most characters of a header field's mailboxes, more than one request's recipients need. */
export const MAX_MAILBOXES_TEXT = 65_536;
export const MAILBOXES = Type.String({ maxLength: MAX_MAILBOXES_TEXT });
/** Most characters of a mail's or file's content. */
export const MAX_CONTENT = 30 * 1024 * 1024;
export const CONTENT = Type.String({ maxLength: MAX_CONTENT });
/** Limit for objects with one member per setting. */
export const FEW = { maxProperties: 1000 };
/** Most files of one message. */
export const MAX_FILES = 100;
