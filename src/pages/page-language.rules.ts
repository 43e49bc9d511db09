// Chooses the language of a page for recipients: the one set by the page's owner, or else the first supported one that the reader's
// browser requests.
import { type PageLanguage, PAGE_LANGUAGES } from '../contract/names.js';
import { acceptedLanguage } from '../lib/wording/index.js';

/** `header`: Accept-Language. English if no language fits. */
export function pageLanguage(chosen: PageLanguage | null, header: string | undefined): PageLanguage {
  return chosen ?? acceptedLanguage(header, PAGE_LANGUAGES) ?? 'en';
}
