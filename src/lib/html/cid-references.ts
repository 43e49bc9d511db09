// The parts of a message that its html shows, by their Content-ID. RFC 2392.
import { decodeReferences } from './html-scan.js';

/** Ends a `cid:` URL in an attribute or in a style. */
const END = /["'()\s<>]/;
const REFERENCE = /cid:([^"'()\s<>]+)/gi;

/** Whether the html shows the part with a Content-ID (without angle brackets). Takes time in proportion to the html. */
export function cidReferences(html: string): (contentId: string) => boolean {
  const named = new Set<string>();
  for (const [, reference = ''] of html.matchAll(REFERENCE))
    named.add(comparable(decodeReferences(reference)));
  return (contentId) => named.has(comparable(contentId));
}

/** Mail programs compare ids without case. A comma or a slash behind an id belongs to the html. */
function comparable(reference: string): string {
  const [id = ''] = percentDecoded(reference).split(END, 1);
  return id.replace(/[,;/]$/, '').toLowerCase();
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
