// The mark of Mailkeel, a post horn: in the header of its own pages, and as the icon of all.
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../lib/runtime/package-root.js';
import type { Html } from '../lib/http/html.js';

const SVG = readFileSync(new URL('docs/site/mark.svg', PACKAGE_ROOT), 'utf8').trim();

/** Takes the colour of the text around it; says nothing to who cannot see it. A page needs no name of the namespace. */
export const MARK: Html = {
  markup: SVG.replace(/<svg xmlns="[^"]*" /, '<svg class="mark" aria-hidden="true" '),
};

/** In the accent colour, which a file that is shown by itself has to bring along. */
export const FAVICON = SVG.replace(
  '>',
  '><style>svg{color:#3538cd}@media (prefers-color-scheme:dark){svg{color:#a3a8ff}}</style>',
);

export const FAVICON_PATH = '/favicon.svg';
