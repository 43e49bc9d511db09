// The language of a page for recipients: the one that its owner chose, else the first that the reader's browser asks for.
import { type PageLanguage, PAGE_LANGUAGES } from '../contract/names.js';
import { acceptedLanguage } from '../lib/wording/index.js';

/** `header`: Accept-Language. English if no language fits. */
export function pageLanguage(chosen: PageLanguage | null, header: string | undefined): PageLanguage {
  return chosen ?? acceptedLanguage(header, PAGE_LANGUAGES) ?? 'en';
}
