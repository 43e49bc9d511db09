// Reads the header of the message that a report is about, from a part of the report (RFC 6522 section 4,
// RFC 6533 section 4) or from the copy below its text.
import type { HeaderField, ParsedMail } from '../mime/index.js';
import { isFieldLine, splitLines, partText, readFieldBlock, RETURNED_TYPES } from './report-fields.js';

/**
 * Returns the fields of the returned part, even if it was attached as a text file, otherwise those of
 * `lines`, the report's text from the copy on. Unfolded, not decoded; empty if nothing was returned.
 */
export function readOriginalFields(mail: Pick<ParsedMail, 'parts'>, lines: readonly string[]): HeaderField[] {
  for (const { type, content } of mail.parts) {
    const isFile = type === 'text/plain';
    if (!isFile && !RETURNED_TYPES.includes(type)) continue;
    const text = splitLines(partText(content));
    const fields = isFile && !beginsHeader(text, 0) ? [] : firstFields(text);
    if (fields.length > 0) return fields;
  }
  return firstFields(lines);
}

/**
 * Returns whether the copy's header begins at this line: two fields in a row, one of which every message has.
 */
export function beginsHeader(lines: readonly string[], at: number): boolean {
  const [first = '', second = ''] = [lines[at], lines[at + 1]];
  const isKnown = /^(?:> ?)?(?:return-path|received|dkim-signature|message-id|x-service-[a-z]{1,20}):/i.test(
    first,
  );
  return isKnown && (/^(?:> ?)?[a-z][a-z0-9-]{1,60}:/i.test(second) || /^(?:> ?)?[ \t]/.test(second));
}

/** Returns the first block of fields, even if quoted like a reply. Skips text before it. */
function firstFields(lines: readonly string[]): HeaderField[] {
  const bare = lines.map((line) => line.replace(/^> ?/, ''));
  const at = bare.findIndex(isFieldLine);
  return at < 0 ? [] : readFieldBlock(bare, at).fields;
}
