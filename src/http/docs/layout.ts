// Renders the frame of every page of /docs: side bar, search and content.
import { html, type Html } from '../../lib/http/index.js';
import { MARK } from '../mark.js';
import { GUIDE_GROUPS, selectGuides } from './guide-groups.js';
import type { Guide } from './guides.js';
import type { Group } from './openapi-model.js';

export const SITE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Entries of the side bar. */
interface Contents {
  groups: readonly Group[];
  guides: readonly Guide[];
}

interface SitePage {
  /** The page's address, which the side bar highlights. */
  path: string;
  title: string;
  body: Html;
}

export function sitePage({ path, title, body }: SitePage, contents: Contents): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Mailkeel</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/site/docs.css" />
        <script src="/docs/site/docs.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <a class="brand" href="/docs">${MARK} Mailkeel</a>
          <search>
            <form action="/docs/search" role="search">
              <label for="search" class="hidden">Search the documentation</label>
              <input
                id="search"
                name="q"
                type="search"
                placeholder="Search"
                autocomplete="off"
                maxlength="100"
              />
            </form>
            <ul id="found" aria-label="Search results" hidden></ul>
          </search>
        </header>
        <div class="frame">
          <nav aria-label="Contents">
            <details class="menu" open>
              <summary>Contents</summary>
              ${sideBar(path, contents)}
            </details>
          </nav>
          <main id="main" tabindex="-1">${body}</main>
        </div>
      </body>
    </html> `.markup;
}

function sideBar(path: string, { groups, guides }: Contents): Html {
  const link = (to: string, text: string): Html =>
    to === path ? html`<a href="${to}" aria-current="page">${text}</a>` : html`<a href="${to}">${text}</a>`;
  return html` <p class="part">Start</p>
    <ul>
      <li>${link('/docs', 'Introduction')}</li>
      <li>${link('/docs/errors', 'Errors')}</li>
      <li>${link('/docs/webhook-events', 'Webhook events')}</li>
      <li>${link('/docs/objects', 'Objects')}</li>
    </ul>
    ${GUIDE_GROUPS.map(
      ({ title, slugs }) =>
        html`<p class="part">${title}</p>
          <ul>
            ${selectGuides(slugs, guides).map(({ slug, title: name }) => html`<li>${link(`/docs/guides/${slug}`, name)}</li>`)}
          </ul>`,
    )}
    <p class="part">Operations</p>
    <ul>
      ${groups.map(
        ({ name, slug, entries }) =>
          html`<li>
            ${link(`/docs/api/${slug}`, name)}
            ${
              path === `/docs/api/${slug}`
                ? html`<ul>
                    ${entries.map(({ id, operation }) => html`<li><a href="#${id}">${operation.summary ?? id}</a></li>`)}
                  </ul>`
                : []
            }
          </li>`,
      )}
    </ul>`;
}
