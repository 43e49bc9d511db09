// Inline files of Mailgun: the html shows each by its name, `cid:my logo.png`. Not every name can be a Content-ID (RFC 2392).
import type { FormFile } from '../form-body.js';

const CONTENT_ID = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/;
const MAX_SHOWN = 1000;
/** A reference ends at its quote. Without quotes, as in `url(cid:a.png)` of CSS, or with written ones, it ends earlier. */
const REFERENCE = new RegExp(`cid:([^"'<>]{1,${MAX_SHOWN}})`, 'gi');
const EARLIER_ENDS = [/&quot;|&#39;/, ')'];

/** The Content-ID of each inline file by its name: the name itself where that is possible. */
export function contentIdsOf(files: readonly FormFile[]): Map<string, string> {
  const inline = files.filter(({ field }) => field === 'inline');
  return new Map(
    inline.map(({ filename }, at) => [
      filename.normalize(),
      CONTENT_ID.test(filename) ? filename : `${at}.${asciiOf(filename)}`,
    ]),
  );
}

/** The html with the Content-IDs in place of names, which may be written with percent signs and character references. */
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
    // A percent sign of the name itself.
    return text.normalize();
  }
}

function asciiOf(filename: string): string {
  return filename
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, 100);
}
