// Everything below /docs, made from the OpenAPI document and the guides: a page when it is first asked for, and then kept.
import { readFile } from 'node:fs/promises';
import { PACKAGE_ROOT } from '../../lib/runtime/package-root.js';
import type { Html } from '../../lib/http/html.js';
import { once, staticPage, type StaticPage } from '../../lib/http/static-page.js';
import { guideHtml, readGuides, type Guide } from './guides.js';
import { sitePage } from './layout.js';
import { groupsOf, objectsOf, type Described } from './openapi-model.js';
import {
  errorsPage,
  groupPage,
  introduction,
  objectPage,
  objectsPage,
  webhookEventsPage,
} from './reference.js';
import { search, searchEntries, searchPage } from './search.js';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const ASSETS = { 'docs.css': 'text/css; charset=utf-8', 'docs.js': 'text/javascript; charset=utf-8' };

export interface DocsSite {
  /** Null where there is no such page. `path` without query, from `/docs` on, or `/llms.txt`, `/llms-full.txt`. */
  at(path: string): Promise<StaticPage | null>;
  /** The page of what a search finds, which is made for each. */
  found(query: string): Promise<string>;
}

type Maker = () => Promise<StaticPage>;

/** `describe` is called once, at the first request. */
export function createDocsSite(describe: () => Described): DocsSite {
  const built = once(() => build(describe()));
  return {
    at: async (path) => (await (await built()).pages.get(path)?.()) ?? null,
    found: async (query) => (await built()).found(query),
  };
}

async function build(document: Described) {
  const groups = groupsOf(document);
  const guides = await readGuides();
  const known = new Set(guides.map(({ slug }) => slug));
  const entries = searchEntries(document, groups, guides);
  const contents = { groups, guides };
  const pages = new Map<string, Maker>();
  const text = (path: string, type: string, make: () => string | Promise<string>): void => {
    pages.set(
      path,
      once(async () => staticPage(type, await make())),
    );
  };
  const page = (path: string, title: string, body: () => Html): void =>
    text(path, HTML, () => sitePage({ path, title, body: body() }, contents));

  page('/docs', `${document.info.title} API`, () => introduction(document, groups));
  page('/docs/errors', 'Errors', errorsPage);
  page('/docs/webhook-events', 'Webhook events', () => webhookEventsPage(document));
  const objects = objectsOf(document);
  page('/docs/objects', 'Objects', () => objectsPage(objects));
  for (const [name, schema] of objects) {
    page(`/docs/objects/${name}`, name, () => objectPage(name, schema, document));
  }
  for (const group of groups) {
    page(`/docs/api/${group.slug}`, group.name, () => groupPage(group, document));
  }
  for (const guide of guides) {
    page(`/docs/guides/${guide.slug}`, guide.title, () => ({ markup: guideHtml(guide, known) }));
    text(`/docs/guides/${guide.slug}.md`, MARKDOWN, () => guide.markdown);
  }
  text('/docs/search.json', 'application/json; charset=utf-8', () => JSON.stringify(entries));
  const base = document.servers?.[0]?.url ?? '';
  text('/llms.txt', MARKDOWN, () => llmsText(document, guides, base));
  text('/llms-full.txt', MARKDOWN, () => guides.map(({ markdown }) => markdown).join('\n\n'));
  for (const [name, type] of Object.entries(ASSETS)) {
    text(`/docs/site/${name}`, type, () => readFile(new URL(`docs/site/${name}`, PACKAGE_ROOT), 'utf8'));
  }
  return {
    pages,
    found: (query: string) =>
      sitePage(
        { path: '/docs/search', title: 'Search', body: searchPage(query, search(entries, query)) },
        contents,
      ),
  };
}

/** The form of llmstxt.org: a title, a sentence, lists of links. */
function llmsText(document: Described, guides: readonly Guide[], base: string): string {
  const { title, description = '' } = document.info;
  const [about = ''] = description.split('\n\n');
  const links = guides.map(
    ({ slug, title: name, about: what }) =>
      `- [${name}](${base}/docs/guides/${slug}.md): ${what.slice(0, 200)}`,
  );
  return [
    `# ${title}`,
    `> ${about}`,
    `## Reference\n\n- [OpenAPI document](${base}/openapi.json): every operation of the API, with examples`,
    `## Guides\n\n${links.join('\n')}`,
    `## Optional\n\n- [All guides in one file](${base}/llms-full.txt)`,
    '',
  ].join('\n\n');
}
