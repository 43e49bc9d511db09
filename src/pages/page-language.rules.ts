// The language of a page for recipients: the one that its owner chose, else the first that the reader's browser asks for.
import { type PageLanguage, PAGE_LANGUAGES } from '../contract/names.js';

const MAX_RANGES = 20;

/** `header`: Accept-Language (RFC 9110 section 12.5.4). English where nothing fits. */
export function pageLanguage(chosen: PageLanguage | null, header: string | undefined): PageLanguage {
  if (chosen !== null) return chosen;
  const ranges = (header ?? '').slice(0, 500).split(',', MAX_RANGES).map(rangeOf);
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const { language } of wanted) {
    const known = PAGE_LANGUAGES.find((one) => one === language);
    if (known !== undefined) return known;
  }
  return 'en';
}

function rangeOf(text: string): { language: string; weight: number } {
  const [tag = '', ...rest] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = rest.map((part) => /^q=([01](?:\.\d{0,3})?)$/.exec(part)?.[1]).find((q) => q !== undefined);
  return { language: tag.split('-', 1)[0] ?? '', weight: weight === undefined ? 1 : Number(weight) };
}
