// Finds and removes invisible characters of a text: padding without width, and characters that encode other text.
import { INVISIBLE } from './html-to-text.js';

const TAGS_FROM = 0xe0000;
const MAX_NAMED = 8;
const MAX_TEXT = 200;

/**
 * Flags of regions, which are kept; tag characters; repeated variation selectors; three or more invisible characters in a
 * row; and those within a Latin word. Single ones join letters or emoji.
 */
const FOUND = new RegExp(
  [
    '(?<flag>\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{1,10}\\u{e007f})',
    '(?<tags>[\\u{e0000}-\\u{e007f}]+)',
    '(?<selectors>[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]{2,})',
    `[${INVISIBLE}](?:[ \\u00a0]?[${INVISIBLE}]){2,}`,
    '(?<=\\p{Script=Latin})[\\u200b\\u2060\\ufeff]+(?=\\p{Script=Latin})',
  ].join('|'),
  'gu',
);

interface CleanText {
  text: string;
  /** The text that each place encodes, or its code points. */
  found: string[];
}

/** Takes linear time. */
export function invisibleCharacters(source: string): CleanText {
  const found: string[] = [];
  const text = source.replace(FOUND, (match: string, ...rest: unknown[]) => {
    const { flag, tags, selectors } = rest.at(-1) as Record<string, string | undefined>;
    if (flag !== undefined) return flag;
    found.push(
      tags !== undefined
        ? textOfTags(tags)
        : selectors !== undefined
          ? textOfSelectors(selectors)
          : namesOf(match),
    );
    return '';
  });
  return { text, found };
}

/** Tag characters repeat ASCII at U+E0000. */
function textOfTags(tags: string): string {
  const text = Array.from(tags.slice(0, MAX_TEXT * 2)).map((one) => {
    const code = (one.codePointAt(0) ?? 0) - TAGS_FROM;
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '';
  });
  return text.join('') || namesOf(tags);
}

/** Each of the 256 variation selectors may stand for an octet. */
function textOfSelectors(selectors: string): string {
  const octets = Array.from(selectors.slice(0, MAX_TEXT * 2)).map((one) => {
    const code = one.codePointAt(0) ?? 0;
    return code < 0xfe10 ? code - 0xfe00 : code - 0xe0100 + 16;
  });
  const text = Buffer.from(octets).toString('utf8');
  return /^[\p{L}\p{N}\p{P}\p{S}\s]+$/u.test(text) ? text.slice(0, MAX_TEXT) : namesOf(selectors);
}

function namesOf(characters: string): string {
  const codes = Array.from(characters.slice(0, MAX_NAMED * 2)).slice(0, MAX_NAMED);
  return codes
    .map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
}
