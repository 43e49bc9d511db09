// Copies the rules of an HTML mail's style elements into style attributes, for readers that drop the elements.

import juice from 'juice/client';
import { attributesOf, scanHtml, withEdits } from './html-scan.js';

/** Longer html keeps its style elements: inlining would take too long. */
export const MAX_INLINED_CHARS = 512 * 1024;

const OPTIONS = {
  removeStyleTags: true,
  // Nothing can be inlined of these: they stay in a style element.
  preserveMediaQueries: true,
  preserveFontFaces: true,
  preserveKeyFrames: true,
  preservePseudos: true,
  preserveContainerQueries: true,
  preserveLayers: true,
  // Elements and attributes that single mail programs put around the html or into it; a part of the selector is enough.
  preservedSelectors: [
    ...['#outlook', '.ExternalClass', '.ReadMsgBody', '[data-ogsc]', '[data-ogsb]', '[owa]', '[office365]'],
    ...['u + ', 'u+', '.moz-text-html', '.yshortcuts', '.aolReplacedBody', '[class~="x_', '[class~=x_'],
    ...['#MessageViewBody', '#MessageWebViewDiv', '[x-apple-data-detectors'],
  ] as string[],
  // Their content would become text that somebody hears twice.
  inlinePseudoElements: false,
};

export type Inlined = { kind: 'inlined'; html: string } | { kind: 'problem'; message: string };

/**
 * Makes the converter. It reads only the html that it is given: what links and `@import` name is neither fetched nor
 * opened. Hostile rules can keep it busy for ever: run it in a worker that somebody watches.
 */
export function createCssInliner(): (html: string) => Inlined {
  // The html is filled already: braces in it are text.
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
      // The package throws for rules that it cannot read, and for markup nested too deep for its stack.
      return { kind: 'problem', message: 'The CSS in the html cannot be inlined.' };
    }
  };
}

/** At-rules of a whole style element that the package would drop. */
const KEPT_RULES = /@(?:import|supports|page|namespace|-moz-document)\b/gi;
/** Keeps the rule behind it in the style element, and out of the style attributes. */
const KEEP = '/* juice ignore next */';

/** The html with the package's marks on styles that must stay as they are: at-rules, and style elements for some screens only. */
function withKept(html: string): string {
  const edits = scanHtml(html).flatMap((token) => {
    const { kind, name, start, end } = token;
    if (name !== 'style') return [];
    const source = html.slice(start, end);
    if (kind === 'raw') return [{ start, end, text: source.replace(KEPT_RULES, `${KEEP}$&`) }];
    if (kind !== 'open') return [];
    const media = attributesOf(html, token).get('media')?.trim().toLowerCase() ?? 'all';
    if (['', 'all', 'screen'].includes(media)) return [];
    const at = start + '<style'.length;
    return [{ start: at, end: at, text: ' data-embed' }];
  });
  return withEdits(html, edits);
}
