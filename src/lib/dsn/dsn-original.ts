// The header fields of the message that a report is about: returned in a part of its own (RFC 6522 section 4, RFC 6533
// section 4), or copied below the report's text.
import type { HeaderField, ParsedMail } from '../mime/index.js';
import { isFieldLine, linesOf, partText, readFieldBlock, RETURNED_TYPES } from './report-fields.js';

/**
 * The fields of the returned part, also where it was attached as a text file, else of `lines`, which are the report's text
 * from where the copy begins. Unfolded, not decoded; empty when nothing came back.
 */
export function readOriginalFields(mail: Pick<ParsedMail, 'parts'>, lines: readonly string[]): HeaderField[] {
  for (const { type, content } of mail.parts) {
    const isFile = type === 'text/plain';
    if (!isFile && !RETURNED_TYPES.includes(type)) continue;
    const text = linesOf(partText(content));
    const fields = isFile && !beginsHeader(text, 0) ? [] : firstFields(text);
    if (fields.length > 0) return fields;
  }
  return firstFields(lines);
}

/** Whether two fields follow each other here, of which one is of every message: then it is the copy's header. */
export function beginsHeader(lines: readonly string[], at: number): boolean {
  const [first = '', second = ''] = [lines[at], lines[at + 1]];
  const isKnown = /^(?:> ?)?(?:return-path|received|dkim-signature|message-id|x-service-[a-z]{1,20}):/i.test(
    first,
  );
  return isKnown && (/^(?:> ?)?[a-z][a-z0-9-]{1,60}:/i.test(second) || /^(?:> ?)?[ \t]/.test(second));
}

/** The first block of fields, also where the copy is quoted as a reply would quote it; whatever stands in front is passed over. */
function firstFields(lines: readonly string[]): HeaderField[] {
  const bare = lines.map((line) => line.replace(/^> ?/, ''));
  const at = bare.findIndex(isFieldLine);
  return at < 0 ? [] : readFieldBlock(bare, at).fields;
}
