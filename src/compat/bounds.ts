// How long the fields of other vendors' requests may be: checked before any work. /v1 has the limits proper, and names them.
import { Type } from 'typebox';

export const MAX_LINE = 16_384;
/** A name, a subject, an address, an id, a header. */
export const LINE = Type.String({ maxLength: MAX_LINE });
/** The mailboxes of a header field: more than the recipients of one request come to. */
export const MAX_MAILBOXES_TEXT = 65_536;
export const MAILBOXES = Type.String({ maxLength: MAX_MAILBOXES_TEXT });
/** The content of a mail or a file. */
export const MAX_CONTENT = 30 * 1024 * 1024;
export const CONTENT = Type.String({ maxLength: MAX_CONTENT });
/** Members of an object that says one thing each. */
export const FEW = { maxProperties: 1000 };
/** Files of one message. */
export const MAX_FILES = 100;
