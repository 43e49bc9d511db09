// Reads the guides, which are the pages of docs/ and docs/monitoring/, and renders them as HTML.
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { PACKAGE_ROOT } from '../../lib/runtime/index.js';
import { toSlug } from './openapi-model.js';

const DOCS = new URL('docs/', PACKAGE_ROOT);
/** Folders below docs/. Decision records are left out, because they are for contributors. */
const FOLDERS = ['', 'monitoring/'];

export interface Guide {
  /** Path below docs/ without the extension, such as `webhooks` or `monitoring/metrics`. */
  slug: string;
  title: string;
  /** The first paragraph as plain text. */
  about: string;
  markdown: string;
}

/** Reads all guides, sorted by name. Returns none if the program is installed without its docs. */
export async function readGuides(): Promise<Guide[]> {
  const found = FOLDERS.map(async (folder) =>
    (await readdir(new URL(folder, DOCS)).catch(() => [])).map((name) => `${folder}${name}`),
  );
  const names = (await Promise.all(found)).flat().filter((name) => name.endsWith('.md'));
  return Promise.all(
    names.toSorted().map(async (name) => {
      const markdown = await readFile(new URL(name, DOCS), 'utf8');
      const slug = name.slice(0, -'.md'.length);
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? slug;
      const about = /^# .+\n+([^#\n][^\n]*(?:\n[^\n]+)*)/m.exec(markdown)?.[1] ?? '';
      return { slug, title: plain(title), about: plain(about), markdown };
    }),
  );
}

/** The text of a guide before its first section heading, or one of its sections. */
interface Section {
  title: string;
  /** Null for the text before the first section. */
  anchor: string | null;
  text: string;
}

export function splitSections({ title, markdown }: Guide): Section[] {
  const ids = new Map<string, number>([[toSlug(title), 1]]);
  const sections: { title: string; anchor: string | null; lines: string[] }[] = [
    { title, anchor: null, lines: [] },
  ];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    // A comment in a shell script starts like a heading.
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^##+ (.+)$/.exec(line)?.[1];
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else {
      const name = plain(heading);
      sections.push({ title: name, anchor: uniqueId(toSlug(name), ids), lines: [] });
    }
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: plain(lines.join('\n')) }));
}

/**
 * Renders a guide. Links to other guides lead to their pages, links to files that are not served become text, and HTML in the
 * markdown is escaped.
 */
export function guideHtml({ slug, markdown }: Guide, known: ReadonlySet<string>): string {
  const ids = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens, depth }: Tokens.Heading) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${uniqueId(toSlug(plain(text)), ids)}">${text}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = linkTarget(href, slug, known);
        return target === null ? text : `<a href="${escaped(target)}">${text}</a>`;
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      image: ({ text }) => escaped(text),
    },
  });
  return marked.parse(markdown, { async: false });
}

/** `slug` is the guide that contains the link. */
function linkTarget(href: string, slug: string, known: ReadonlySet<string>): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith('#') || href.startsWith('/')) return href;
  const [, path, anchor = ''] = /^([\w./-]+)\.md(#.*)?$/.exec(href) ?? [];
  const name = path === undefined ? undefined : posix.join(posix.dirname(slug), path);
  return name !== undefined && known.has(name) ? `/docs/guides/${name}${anchor}` : null;
}

function uniqueId(slug: string, ids: Map<string, number>): string {
  const count = ids.get(slug) ?? 0;
  ids.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Removes markdown and HTML markup. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
