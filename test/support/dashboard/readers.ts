// What a recipient's program finds in a mail: the picture that tells of an opening, and the links.
import { simpleParser } from 'mailparser';

export async function linksOf(raw: Buffer): Promise<{ pixel: string | null; links: string[] }> {
  const { html } = await simpleParser(raw);
  const found = (pattern: RegExp): string[] =>
    [...(html || '').matchAll(pattern)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
  return {
    pixel: found(/<img[^>]+src="([^"]+\/o\/[^"]+)"/g)[0] ?? null,
    links: found(/<a[^>]+href="([^"]+\/c\/[^"]+)"/g),
  };
}
