export { canonicalJson, isWellFormedText } from './canonical-json.js';
export { repeatsKey } from './json-keys.js';
export { parseMeasured } from './measured-json.js';
export { createQuotes, type QuoteText } from './quoted-text.js';
