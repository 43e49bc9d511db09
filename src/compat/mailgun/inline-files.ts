// Mailgun's inline files, which the HTML references by file name, `cid:my logo.png`. Not every name is a valid Content-ID (RFC
// 2392).
import type { FormFile } from '../form-body.js';

const CONTENT_ID = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/;
const MAX_SHOWN = 1000;
/** A reference ends at its quote, or earlier if it is unquoted, as in `url(cid:a.png)` of CSS, or if the quotes are escaped. */
const REFERENCE = new RegExp(`cid:([^"'<>]{1,${MAX_SHOWN}})`, 'gi');
const EARLIER_ENDS = [/&quot;|&#39;/, ')'];

/** Returns the Content-ID of each inline file by name: the name itself if it is valid. */
export function assignContentIds(files: readonly FormFile[]): Map<string, string> {
  const inline = files.filter(({ field }) => field === 'inline');
  return new Map(
    inline.map(({ filename }, at) => [
      filename.normalize(),
      CONTENT_ID.test(filename) ? filename : `${at}.${asciiOf(filename)}`,
    ]),
  );
}

/** Replaces names in the HTML by Content-IDs. Names may be percent-encoded or contain character references. */
export function withContentIds(html: string, contentIds: ReadonlyMap<string, string>): string {
  if ([...contentIds].every(([name, id]) => name === id)) return html;
  return html.replaceAll(REFERENCE, (whole, shown: string) => {
    for (const written of [shown, ...EARLIER_ENDS.flatMap((end) => shown.split(end, 1))]) {
      const id = contentIds.get(nameIn(written));
      if (id !== undefined) return `cid:${id}${shown.slice(written.length)}`;
    }
    return whole;
  });
}

function nameIn(written: string): string {
  const text = written.trim().replaceAll('&amp;', '&');
  try {
    return decodeURIComponent(text).normalize();
  } catch {
    // The percent sign is part of the name.
    return text.normalize();
  }
}

function asciiOf(filename: string): string {
  return filename
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, 100);
}
