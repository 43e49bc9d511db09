// Writes the XML answers of Amazon SES API v1.
const NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/';

export const XML_TYPE = 'text/xml; charset=utf-8';

/** Returns a document with this root element. `content` is XML. */
export function xmlDocument(root: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">${content}</${root}>\n`;
}

/**
 * Writes a value: an object's fields become elements, a list's items `member` elements, and a map's `entry` elements. Absent values
 * have no element.
 */
export function xmlElement(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  return `<${name}>${contentOf(value)}</${name}>`;
}

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => xmlElement('member', one)).join('');
  if (value instanceof Map) {
    const entries: [unknown, unknown][] = [...value];
    return entries.map(([key, one]) => xmlElement('entry', { key, value: one })).join('');
  }
  if (typeof value !== 'object' || value === null) return escaped(String(value));
  return Object.entries(value)
    .map(([name, one]) => xmlElement(name, one))
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Escapes text, and drops characters that XML 1.0 cannot contain. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\0-\b\v\f\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"\r]/g, (letter) => ENTITIES[letter] ?? letter);
}
