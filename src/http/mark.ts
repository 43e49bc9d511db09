// The Mailkeel logo, an envelope with a keel, for page headers and as the icon of every page.
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../lib/runtime/index.js';
import type { Html } from '../lib/http/index.js';

const SVG = readFileSync(new URL('docs/site/mark.svg', PACKAGE_ROOT), 'utf8').trim();

/** Inline SVG in the colour of the surrounding text, hidden from screen readers. Inline markup needs no XML namespace. */
export const MARK: Html = {
  markup: SVG.replace(/<svg xmlns="[^"]*" /, '<svg class="mark" aria-hidden="true" '),
};

/** The logo as a file, in the accent colour of the light or dark theme. */
export const FAVICON = SVG.replace(
  '>',
  '><style>svg{color:#3538cd}@media (prefers-color-scheme:dark){svg{color:#a3a8ff}}</style>',
);

export const FAVICON_PATH = '/favicon.svg';
