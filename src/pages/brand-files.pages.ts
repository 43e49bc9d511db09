// Files of the pages for recipients, besides the common style: the logo, and the colours derived from one colour. Both
// addresses change with the content, so both are cached for a year.
import { Type } from 'typebox';
import { Refusal } from '../contract/refusal.js';
import { brandColors } from './brand-colors.rules.js';
import type { Api } from '../http/api.js';
import { GROUNDS, sendStatic, staticFile } from '../lib/http/index.js';

const CACHE = 'public, max-age=31536000, immutable';
/** The image is a customer's. When it is opened directly, it runs nothing, loads nothing and has no origin. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** `color` as `#rrggbb`. */
export const colorsPath = (color: string): string => `/brand/${color.slice(1)}.css`;

interface Logos {
  /** The logo with that id; null if there is none. */
  logo(id: string): Promise<{ type: string; content: Uint8Array } | null>;
}

/** Declares `GET /brand/:logo` and `GET /brand/:color.css`. */
export function brandFileRoutes(app: Api, logos: Logos): void {
  const options = { config: { public: true } };
  const schema = { hide: true, params: Type.Object({ file: Type.String() }) };
  app.get('/brand/:file', { ...options, schema }, async (request, reply) => {
    const { file } = request.params;
    const color = /^([0-9a-f]{6})\.css$/.exec(file)?.[1];
    if (color !== undefined) {
      const css = staticFile('text/css; charset=utf-8', Buffer.from(colorsOf(`#${color}`)), CACHE);
      return sendStatic(css, request, reply);
    }
    const logo = /^lgo_[0-9a-z]{26}$/.test(file) ? await logos.logo(file) : null;
    if (logo === null) throw new Refusal('not_found');
    const image = staticFile(logo.type, Buffer.from(logo.content), CACHE);
    const headers = {
      'content-security-policy': LOGO_POLICY,
      'cross-origin-resource-policy': 'cross-origin',
    };
    return sendStatic(image, request, reply.headers(headers));
  });
}

function colorsOf(color: string): string {
  const variables = (ground: string): string => {
    const { fill, onFill, accent } = brandColors(color, ground);
    return `:root { --fill: ${fill}; --on-fill: ${onFill}; --accent: ${accent}; }`;
  };
  return `${variables(GROUNDS.light)}\n@media (prefers-color-scheme: dark) { ${variables(GROUNDS.dark)} }\n`;
}
