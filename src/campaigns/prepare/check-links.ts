// Asks the links of sample copies whether they work: each once, a bounded number, a few at a time.
import { hrefsOf } from '../preflight.rules.js';
import type { LinkCheck } from '../../lib/http/link-check.js';

const AT_A_TIME = 8;

export interface LinkAnswer {
  url: string;
  kind: 'works' | 'dead' | 'unknown';
  reason: string | null;
}

/** Different http(s) links of these htmls in their order, without those that begin with one of `ours`; at most `limit`. */
export function linksToAsk(htmls: readonly string[], ours: readonly string[], limit: number): string[] {
  const links = new Set<string>();
  for (const html of htmls) {
    for (const href of hrefsOf(html)) {
      if (links.size >= limit) return [...links];
      const isAsked =
        /^https?:\/\//i.test(href) && URL.canParse(href) && !ours.some((start) => href.startsWith(start));
      if (isAsked) links.add(href);
    }
  }
  return [...links];
}

/** In the order of `urls`. */
export async function askLinks(
  check: Pick<LinkCheck, 'check'>,
  urls: readonly string[],
): Promise<LinkAnswer[]> {
  const answers: LinkAnswer[] = [];
  const waiting = urls.map((url, index) => ({ url, index }));
  const ask = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const verdict = await check.check(next.url);
      answers[next.index] = {
        url: next.url,
        kind: verdict.kind,
        reason: verdict.kind === 'works' ? null : verdict.reason,
      };
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, ask));
  return answers;
}
