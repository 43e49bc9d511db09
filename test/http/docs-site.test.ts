// Tests the reference and the guides, rendered from the document in docs/.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '../../src/contract/names.js';
import { REFUSALS } from '../../src/contract/refusal.js';
import type { Described } from '../../src/http/docs/openapi-model.js';
import { GUIDE_GROUPS } from '../../src/http/docs/guide-groups.js';
import { readGuides } from '../../src/http/docs/guides.js';
import { createDocsSite, type DocsSite } from '../../src/http/docs/site.js';

const BASE = 'https://mail.example.test';

describe('the pages of /docs', () => {
  let document: Described;
  let site: DocsSite;
  beforeAll(async () => {
    document = {
      ...(JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Described),
      servers: [{ url: BASE }],
    };
    site = createDocsSite(() => document);
  });

  async function text(path: string): Promise<string> {
    const page = await site.at(path);
    if (page === null) throw new Error(`${path} is not there`);
    return page.plain.toString();
  }
  const linksOf = (page: string): string[] => [...page.matchAll(/ href="([^"]+)"/g)].map(([, to = '']) => to);

  it('show every operation under its tag, with samples, fields and errors', async () => {
    const groups = new Set(linksOf(await text('/docs')).filter((to) => to.startsWith('/docs/api/')));
    const all = (await Promise.all([...groups].map(text))).join('');
    const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(150);
    const missing = operations.filter(({ operationId }) => !all.includes(`id="${operationId}"`));
    expect(missing).toEqual([]);
    expect(all).toContain('curl -X POST &quot;$BASE/v1/messages&quot;');
    expect(all).toContain('const answer = await mailkeel.messages.create({');
    expect(all).toContain('for await (const event of mailkeel.events.stream()) console.log(event);');
    expect(all).toContain('--data-binary &#39;email,name,tags,city\n');
    expect(all).toContain('&quot;email&quot;: &quot;news@customer.example&quot;');
    for (const language of ['curl', 'TypeScript', 'Python', 'PHP', 'Go']) {
      expect(all.split(`data-language="${language}"`).length - 1, language).toBe(operations.length);
    }
    const messages = await text('/docs/api/messages');
    expect(messages).toContain('<code class="name">subject</code>');
    expect(messages).toContain('<code class="name">422</code>');
  });

  it('render bold text', async () => {
    expect(await text('/docs/api/messages')).toContain('<strong>including transactional email</strong>');
  });

  it('begin with a quickstart for this server, and have each guide in one group', async () => {
    const first = await text('/docs');
    expect(first).toContain(`export BASE=${BASE}`);
    expect(first).toContain(`npm install -g ${BASE}/cli.tgz`);
    const grouped = GUIDE_GROUPS.flatMap(({ slugs }) => slugs);
    expect(new Set(grouped).size).toBe(grouped.length);
    expect(grouped.toSorted()).toEqual((await readGuides()).map(({ slug }) => slug).toSorted());
    expect(grouped.slice(-2)).toEqual(['architecture', 'benchmarks']);
  });

  it('have no broken links and no duplicate anchors', async () => {
    const seen = new Map<string, Set<string>>();
    const waiting = new Set(['/docs']);
    const anchors: [path: string, anchor: string][] = [];
    const twice: string[] = [];
    for (const path of waiting) {
      const page = await text(path);
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
      if (new Set(ids).size < ids.length) twice.push(path);
      seen.set(path, new Set(ids));
      for (const to of linksOf(page)) {
        const [target = '', anchor] = to.startsWith('#') ? [path, to.slice(1)] : to.split('#');
        if (!target.startsWith('/docs')) continue;
        waiting.add(target);
        if (anchor !== undefined) anchors.push([target, anchor]);
      }
    }
    expect(seen.size).toBeGreaterThan(250);
    expect(twice).toEqual([]);
    expect(anchors.filter(([path, anchor]) => seen.get(path)?.has(anchor) !== true)).toEqual([]);
  });

  it('explain every error code and every event', async () => {
    const errors = await text('/docs/errors');
    for (const code of Object.keys(REFUSALS)) expect(errors).toContain(`<code id="${code}">${code}</code>`);
    const events = await text('/docs/webhook-events');
    for (const event of WEBHOOK_EVENTS) expect(events).toContain(`<code id="${event}">${event}</code>`);
  });

  it('find operations, fields, errors and guides by all of the words', async () => {
    expect(linksOf(await site.found('messages resend'))).toContain('/docs/api/messages#messages.resend');
    expect(linksOf(await site.found('content_hash'))).toContain('/docs/objects/Message');
    expect(linksOf(await site.found('idempotency_key_reused'))).toContain(
      '/docs/errors#idempotency_key_reused',
    );
    expect(linksOf(await site.found('rotate the secret'))).toContain(
      '/docs/guides/webhooks#rotate-the-secret',
    );
    expect(await site.found('zyzzyva')).toContain('No results for');
  });

  it('include the guides as pages and Markdown, and a list of them for programs', async () => {
    const page = await text('/docs/guides/webhooks');
    expect(page).toContain('<h1 id="webhooks">Webhooks</h1>');
    expect(page).toContain('href="/docs/guides/events"');
    expect(page).not.toContain('.md"');
    const markdown = await text('/docs/guides/webhooks.md');
    expect(markdown).toMatch(/^# Webhooks\n/);
    const list = await text('/llms.txt');
    expect(list).toMatch(/^# Mailkeel\n\n> Mailkeel is a self-hosted email delivery server/);
    expect(list).toContain(`- [Webhooks](${BASE}/docs/guides/webhooks.md): `);
    expect(await text('/llms-full.txt')).toContain(markdown);
    for (const slug of ['drills', 'sizing', 'monitoring/metrics', 'monitoring/logs-and-traces']) {
      expect(list).toContain(`(${BASE}/docs/guides/${slug}.md)`);
      expect(page).toContain(`href="/docs/guides/${slug}"`);
    }
    // Links lead to the named guide, regardless of their folder.
    expect(await text('/docs/guides/runbook')).toContain('href="/docs/guides/monitoring/metrics"');
    expect(await text('/docs/guides/monitoring/logs-and-traces')).toContain(
      'href="/docs/guides/monitoring/metrics"',
    );
  });

  it("don't exist for other addresses", async () => {
    expect(await site.at('/docs/guides/README')).toBeNull();
    expect(await site.at('/docs/guides/adr/0001-node-floor')).toBeNull();
    expect(await site.at('/docs/../package.json')).toBeNull();
  });
});
