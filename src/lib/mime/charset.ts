// Decodes the octets of received text in any charset. Charset names are matched loosely and nothing throws.
// Names and tables are those of the WHATWG Encoding Standard, which the runtime has, plus UTF-7 (RFC 2152)
// and DOS code pages.
import { isUtf8 } from 'node:buffer';

/** Octets 0x80 to 0x9f of windows-1252, the real charset of most mail marked ISO-8859-1 or ASCII. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Octets from 0x80 on in DOS code pages, which the Encoding Standard lacks. */
const DOS_PAGES: Readonly<Record<string, string>> = {
  '437':
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  '850':
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  '852':
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  '858':
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
};

const UTF_8 = /^(?:utf-?8|unicode-1-1-utf-8)$/;
const UNLABELED = /^(?:|us-?ascii|ascii|ansi_x3\.4-19\d\d|646|unknown-?8bit|x-unknown|default|binary)$/;
const LATIN_1 = /^(?:(?:iso|x-iso)?[-_ ]?8859[-_ ]?1|latin-?1|l1|cp-?819|(?:windows|win|cp|x-cp)[-_ ]?1252)$/;
const ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  'iso-2022-jp-ms': 'iso-2022-jp',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
};

/**
 * Decodes octets in the named charset. `null`, `us-ascii` and unknown names mean ISO-2022-JP if its escape
 * sequences occur, otherwise UTF-8 if valid, otherwise windows-1252. Octets that the charset lacks become
 * U+FFFD.
 */
export function decodeCharset(octets: Uint8Array, charset: string | null): string {
  const name = (charset ?? '')
    .slice(0, 60)
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .toLowerCase();
  if (UTF_8.test(name)) return decodeUtf8(octets);
  if (UNLABELED.test(name)) return decodeUnlabeled(octets);
  if (LATIN_1.test(name)) return decodeWindows1252(octets);
  if (/^(?:unicode-1-1-|x-)?utf-?7$/.test(name)) return decodeUtf7(octets);
  const dosPage = DOS_PAGES[/^(?:cp|ibm|dos)?[-_ ]?(\d{3})$/.exec(name)?.[1] ?? ''];
  if (dosPage !== undefined) return decodeWith(dosPage, octets);
  try {
    return new TextDecoder(ALIASES[name] ?? standardName(name)).decode(octets);
  } catch {
    // A RangeError means that the charset is unknown.
    return decodeUnlabeled(octets);
  }
}

/** Decodes octets (one per character) of an undeclared charset, such as non-ASCII in header fields. */
export function octetText(octets: string): string {
  return /[\x80-\xff]/.test(octets) ? decodeUnlabeled(Buffer.from(octets, 'latin1')) : octets;
}

function standardName(name: string): string {
  const windows = /^(?:windows|win|cp|x-cp)[-_ ]?(125\d|874)$/.exec(name)?.[1];
  if (windows !== undefined) return `windows-${windows}`;
  const iso = /^(?:iso|x-iso)?[-_ ]?8859[-_ ]?(\d{1,2})$/.exec(name)?.[1];
  return iso === undefined ? name : `iso-8859-${iso}`;
}

/** Decodes UTF-8. Text without a single valid multi-octet sequence is windows-1252. */
function decodeUtf8(octets: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(octets);
  const isOther = text.includes('\ufffd') && !/[^\x00-\x7f\ufffd]/.test(text) && !isUtf8(octets);
  return isOther ? decodeWindows1252(octets) : text;
}

/** Escape sequences that select Japanese characters (RFC 1468). */
const JIS_ESCAPE = /\x1b\$[@B]/;

function decodeUnlabeled(octets: Uint8Array): string {
  if (octets.includes(0x1b) && JIS_ESCAPE.test(toBuffer(octets).toString('latin1'))) {
    return new TextDecoder('iso-2022-jp').decode(octets);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    return decodeWindows1252(octets);
  }
}

// Node's decoder of that name returns control characters for 0x80 to 0x9f.
function decodeWindows1252(octets: Uint8Array): string {
  return decodeWith(WINDOWS_1252, octets);
}

/** Decodes as Latin-1, except for octets from 0x80 on that the table has. */
function decodeWith(table: string, octets: Uint8Array): string {
  return toBuffer(octets)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (octet) => table.charAt(octet.charCodeAt(0) - 0x80) || octet);
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PLUS = 43;
const MINUS = 45;

/** Decodes octet by octet, so that text of many short shifts costs no more than other text. */
function decodeUtf7(octets: Uint8Array): string {
  const units = new Uint16Array(octets.length);
  const sextets = new Int8Array(256).fill(-1);
  for (let value = 0; value < 64; value++) sextets[BASE64.charCodeAt(value)] = value;
  let size = 0;
  // `null` outside base64; inside, the bits that don't make a unit yet.
  let shift: { bits: number; count: number; isEmpty: boolean } | null = null;
  for (const octet of octets) {
    const sextet: number = shift === null ? -1 : (sextets[octet] ?? -1);
    if (shift === null) {
      if (octet === PLUS) shift = { bits: 0, count: 0, isEmpty: true };
      else units[size++] = octet;
    } else if (sextet < 0) {
      // "+-" is a plus, as is a plus without base64 after it. Any other terminator than minus stands for
      // itself.
      if (shift.isEmpty) units[size++] = PLUS;
      if (octet !== MINUS) units[size++] = octet;
      shift = null;
    } else {
      shift.isEmpty = false;
      shift.bits = (shift.bits << 6) | sextet;
      shift.count += 6;
      if (shift.count >= 16) {
        shift.count -= 16;
        units[size++] = shift.bits >> shift.count;
        shift.bits &= (1 << shift.count) - 1;
      }
    }
  }
  if (shift?.isEmpty === true) units[size++] = PLUS;
  return Buffer.from(units.buffer, 0, 2 * size)
    .toString('utf16le')
    .toWellFormed();
}
