// Copies the rules of an HTML mail's style elements into style attributes, for readers that drop the elements.

import juice from 'juice/client';

/** Longer html keeps its style elements: inlining would take too long. */
export const MAX_INLINED_CHARS = 512 * 1024;

const OPTIONS = {
  removeStyleTags: true,
  // Nothing can be inlined of these: they stay in a style element.
  preserveMediaQueries: true,
  preserveFontFaces: true,
  preserveKeyFrames: true,
  preservePseudos: true,
  // Their content would become text that somebody hears twice.
  inlinePseudoElements: false,
} as const;

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
      const message = `The html is longer than ${MAX_INLINED_CHARS} characters: its CSS cannot be inlined.`;
      return { kind: 'problem', message };
    }
    if (!/<style[\s>/]/i.test(html)) return { kind: 'inlined', html };
    try {
      return { kind: 'inlined', html: juice(html, OPTIONS) };
    } catch {
      // The package throws for rules that it cannot read, and for markup nested too deep for its stack.
      return { kind: 'problem', message: 'The CSS of the html cannot be inlined.' };
    }
  };
}
