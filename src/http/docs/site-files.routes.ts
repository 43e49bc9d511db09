// Serves files that browsers, search engines and researchers expect on every site: /favicon.ico, /robots.txt and
// /.well-known/security.txt (RFC 9116).
import { readFile } from 'node:fs/promises';
import { Refusal } from '../../contract/refusal.js';
import { once, sendStatic, staticFile } from '../../lib/http/index.js';
import { type Clock, PACKAGE_ROOT } from '../../lib/runtime/index.js';
import type { Api } from '../api.js';

const ICON = new URL('docs/site/favicon.ico', PACKAGE_ROOT);
/** Keeps recipients' links, shared pages and the dashboard out of search engines. */
const ROBOTS = 'User-agent: *\nAllow: /docs\nAllow: /llms.txt\nAllow: /AGENTS.md\nDisallow: /\n';
const DAY_MS = 24 * 60 * 60 * 1000;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

interface SiteFilesOptions {
  clock: Clock;
  publicUrl: string;
  /** Mail address or URL; `null` if none is configured. */
  securityContact: string | null;
}

export function siteFileRoutes(app: Api, { clock, publicUrl, securityContact }: SiteFilesOptions): void {
  const options = { config: { public: true }, schema: { hide: true } };
  const icon = once(async () => staticFile('image/x-icon', await readFile(ICON)));
  app.get('/favicon.ico', options, async (request, reply) => sendStatic(await icon(), request, reply));
  app.get('/robots.txt', options, (_request, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS));
  app.get('/.well-known/security.txt', options, (_request, reply) => {
    if (securityContact === null)
      throw new Refusal(
        'not_found',
        'No security contact is configured. The operator can set MAILKEEL_SECURITY_CONTACT.',
      );
    const day = Math.floor(clock() / DAY_MS);
    const expires = new Date((day + VALID_DAYS) * DAY_MS).toISOString();
    const lines = [
      `Contact: ${/^https:/.test(securityContact) ? '' : 'mailto:'}${encodeURI(securityContact)}`,
      `Expires: ${expires}`,
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
