export { cidReferences } from './cid-references.js';
export { isRootHidden } from './css-visibility.js';
export {
  attributePlaces,
  readAttributes,
  decodeReferences,
  type HtmlToken,
  scanHtml,
  withEdits,
} from './html-scan.js';
export { HIDDEN_TEXT_KINDS, type HiddenText, type HiddenTextKind, readHiddenText } from './hidden-text.js';
export { createHtmlToText, INVISIBLE, MAX_HTML_CHARS } from './html-to-text.js';
export { createCssInliner } from './inline-css.js';
export { invisibleCharacters } from './invisible-characters.js';
export { misleadingLinks } from './link-labels.js';
export { createOpenElements } from './open-elements.js';
export { walkShown } from './shown-html.js';
export { linksInHtml, linksInText, type WebLink } from './web-links.js';
