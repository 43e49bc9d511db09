// Finds the tracking picture and the links in a mail, as a recipient's program does.
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
