// Finds the parts of a message that its HTML shows by Content-ID (RFC 2392).
import { decodeReferences } from './html-scan.js';

/** Ends a `cid:` URL in an attribute or in a style. */
const END = /["'()\s<>]/;
const REFERENCE = /cid:([^"'()\s<>]+)/gi;

/**
 * Returns a test whether the HTML shows the part with a Content-ID (without angle brackets). Linear in the
 * HTML.
 */
export function cidReferences(html: string): (contentId: string) => boolean {
  const named = new Set<string>();
  for (const [, reference = ''] of html.matchAll(REFERENCE))
    named.add(comparable(decodeReferences(reference)));
  return (contentId) => named.has(comparable(contentId));
}

/** Normalizes an id. Mail programs ignore its case, and a comma or slash after it belongs to the HTML. */
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
