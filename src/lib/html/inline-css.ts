// Inlines the CSS rules of an HTML mail's style elements into style attributes, for readers that drop the
// elements.

import juice from 'juice/client';
import { readAttributes, scanHtml, withEdits } from './html-scan.js';

/** Longer HTML keeps its style elements, because inlining would take too long. */
export const MAX_INLINED_CHARS = 512 * 1024;

const OPTIONS = {
  removeStyleTags: true,
  // Rules that cannot be inlined stay in a style element.
  preserveMediaQueries: true,
  preserveFontFaces: true,
  preserveKeyFrames: true,
  preservePseudos: true,
  preserveContainerQueries: true,
  preserveLayers: true,
  // Elements and attributes that certain mail programs add to the HTML; a part of the selector is enough.
  preservedSelectors: [
    ...['#outlook', '.ExternalClass', '.ReadMsgBody', '[data-ogsc]', '[data-ogsb]', '[owa]', '[office365]'],
    ...['u + ', 'u+', '.moz-text-html', '.yshortcuts', '.aolReplacedBody', '[class~="x_', '[class~=x_'],
    ...['#MessageViewBody', '#MessageWebViewDiv', '[x-apple-data-detectors'],
  ] as string[],
  // Their content would become text that screen readers repeat.
  inlinePseudoElements: false,
};

type Inlined = { kind: 'inlined'; html: string } | { kind: 'problem'; message: string };

/**
 * Creates the inliner. It only reads the given HTML; links and `@import` are neither fetched nor opened.
 * Hostile rules can keep it busy forever, so run it in a supervised worker.
 */
export function createCssInliner(): (html: string) => Inlined {
  // The HTML is already filled, so braces in it are text.
  for (const language of Object.keys(juice.codeBlocks)) Reflect.deleteProperty(juice.codeBlocks, language);
  return (html) => {
    if (html.length > MAX_INLINED_CHARS) {
      const message = `The html exceeds ${MAX_INLINED_CHARS} characters, so its CSS cannot be inlined.`;
      return { kind: 'problem', message };
    }
    if (!/<style[\s>/]/i.test(html)) return { kind: 'inlined', html };
    try {
      return { kind: 'inlined', html: juice(withKept(html), OPTIONS) };
    } catch {
      // The package throws on rules that it cannot parse, and on markup nested too deep for its stack.
      return { kind: 'problem', message: 'The CSS in the html cannot be inlined.' };
    }
  };
}

/** At-rules of a whole style element, which the package would drop. */
const KEPT_RULES = /@(?:import|supports|page|namespace|-moz-document)\b/gi;
/** Keeps the following rule in the style element and out of the style attributes. */
const KEEP = '/* juice ignore next */';

/** Marks styles that must stay for the package: at-rules, and style elements for certain screens. */
function withKept(html: string): string {
  const edits = scanHtml(html).flatMap((token) => {
    const { kind, name, start, end } = token;
    if (name !== 'style') return [];
    const source = html.slice(start, end);
    if (kind === 'raw') return [{ start, end, text: source.replace(KEPT_RULES, `${KEEP}$&`) }];
    if (kind !== 'open') return [];
    const media = readAttributes(html, token).get('media')?.trim().toLowerCase() ?? 'all';
    if (['', 'all', 'screen'].includes(media)) return [];
    const at = start + '<style'.length;
    return [{ start: at, end: at, text: ' data-embed' }];
  });
  return withEdits(html, edits);
}
