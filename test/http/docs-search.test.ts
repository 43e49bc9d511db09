// Tests the search of /docs: thirty queries of newcomers, each with the page that must be among the first three results.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Described } from '../../src/http/docs/openapi-model.js';
import { createDocsSite, type DocsSite } from '../../src/http/docs/site.js';
import type { Found } from '../../src/http/docs/search.js';

/** The address of the page, up to its anchor. */
const WANTED: readonly (readonly [query: string, page: string])[] = [
  ['install', '/docs/guides/quickstart'],
  ['getting started', '/docs/guides/quickstart'],
  ['send first email', '/docs/guides/quickstart'],
  ['webhook signature', '/docs/guides/webhooks'],
  ['verify webhook', '/docs/guides/webhooks'],
  ['429', '/docs/guides/requests'],
  ['rate limit', '/docs/guides/requests'],
  ['idempotency', '/docs/guides/requests'],
  ['pagination', '/docs/guides/requests'],
  ['api key', '/docs/guides/accounts'],
  ['smtp', '/docs/guides/relay'],
  ['smtp port 587', '/docs/guides/relay'],
  ['dkim', '/docs/guides/dkim'],
  ['spf record', '/docs/guides/domains'],
  ['verify domain', '/docs/guides/domains'],
  ['unsubscribe link', '/docs/guides/contacts'],
  ['import contacts csv', '/docs/guides/contacts'],
  ['newsletter', '/docs/guides/campaigns'],
  ['a/b test', '/docs/guides/campaigns'],
  ['template variables', '/docs/guides/templates'],
  ['open tracking', '/docs/guides/tracking'],
  ['reply threading', '/docs/guides/threads'],
  ['sendgrid migration', '/docs/guides/compat-sendgrid'],
  ['resend', '/docs/guides/compat-resend'],
  ['docker compose', '/docs/guides/runbook'],
  ['backup restore', '/docs/guides/runbook'],
  ['postgres', '/docs/guides/postgresql'],
  ['prometheus metrics', '/docs/guides/monitoring/metrics'],
  ['environment variables', '/docs/guides/config'],
  ['why was my message not delivered', '/docs/guides/explain'],
];

let site: DocsSite;
beforeAll(async () => {
  const document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Described;
  site = createDocsSite(() => document);
});

const pagesOf = (found: readonly Found[]): string[] => found.map(({ href }) => href.split('#')[0] ?? '');

describe("a newcomer's search", () => {
  it('covers thirty questions', () => {
    expect(new Set(WANTED.map(([query]) => query)).size).toBe(30);
  });

  it.each(WANTED)('finds for "%s" the page %s', async (query, page) => {
    expect(pagesOf(await site.search(query)).slice(0, 3)).toContain(page);
  });
});

describe('a search', () => {
  it('shows guides before operations, and operations before objects', async () => {
    for (const query of ['campaign', 'webhook', 'suppression']) {
      const kinds = (await site.search(query)).map(({ href }) => href.split('/')[2]);
      expect(kinds.indexOf('guides'), query).toBe(0);
      expect(kinds.indexOf('api'), query).toBeLessThan(kinds.indexOf('objects'));
    }
  });

  it('treats a whole name, id or code as an exact match', async () => {
    const names = {
      'messages.resend': '/docs/api/messages#messages.resend',
      'POST /v1/messages': '/docs/api/messages#messages.create',
      MessageCreate: '/docs/objects/MessageCreate',
      idempotency_key_reused: '/docs/errors#idempotency_key_reused',
    };
    for (const [query, href] of Object.entries(names)) expect((await site.search(query))[0]?.href).toBe(href);
  });

  it('names sections that exist on the page', async () => {
    for (const [query] of WANTED) {
      for (const { href } of (await site.search(query)).slice(0, 10)) {
        const [path = '', anchor] = href.split('#');
        const page = (await site.at(path))?.plain.toString() ?? '';
        if (anchor !== undefined) expect(page, href).toContain(`id="${anchor}"`);
      }
    }
  });

  it('shows each guide once', async () => {
    const pages = pagesOf(await site.search('webhook')).filter((page) => page.startsWith('/docs/guides/'));
    expect(new Set(pages).size).toBe(pages.length);
  });

  it('examines a limited number of words for any query', async () => {
    await site.search('warm');
    const looks = [vi.spyOn(Map.prototype, 'get'), vi.spyOn(String.prototype, 'startsWith')];
    const work: Record<string, number> = {};
    for (const query of [
      'mes sen tem cam del sub rec dom key con sta mai',
      'message domain',
      'x'.repeat(100),
    ]) {
      for (const look of looks) look.mockClear();
      await site.search(query);
      work[query] = looks.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    }
    for (const look of looks) look.mockRestore();
    for (const [query, count] of Object.entries(work)) expect(count, query).toBeLessThan(30_000);
  });
});
