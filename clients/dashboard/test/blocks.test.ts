// Tests the HTML of blocks: content is escaped, placeholders remain, and links are limited to web addresses.
import { describe, expect, it } from 'vitest';
import { designOf, newBlock, newDesign, newId, type Block } from '../src/pages/templates/blocks/design.js';
import { htmlOf, safeAddress } from '../src/pages/templates/blocks/render.js';

const withBlocks = (...blocks: Block[]) => ({ ...newDesign('', ''), blocks });

describe('the html of blocks', () => {
  it('escapes text and keeps placeholders for Handlebars', () => {
    const html = htmlOf(
      withBlocks(
        { id: '1', type: 'heading', text: 'Tea & <script>', level: 1, align: 'left' },
        {
          id: '2',
          type: 'text',
          text: 'Dear {{name}},\n\n{{#if (eq plan "pro")}}**two**{{/if}} *days*',
          align: 'left',
        },
      ),
    );
    expect(html).toContain('Tea &amp; &lt;script&gt;</h1>');
    expect(html).toContain('Dear {{name}},</p>');
    expect(html).toContain('{{#if (eq plan "pro")}}<strong>two</strong>{{/if}} <em>days</em></p>');
  });

  it('contains no script, regardless of addresses and colors', () => {
    const html = htmlOf({
      ...withBlocks(
        { id: '1', type: 'text', text: '[a](javascript:x) [b](https://b.example/?c=1&d="2")', align: 'left' },
        { id: '2', type: 'button', label: 'Go', href: ' JavaScript:alert(1)', align: 'center' },
        { ...newBlock('image', '3'), src: 'data:text/html,x' } as Block,
        { ...newBlock('image', '4'), src: 'https://b.example/a.png', alt: '" onerror="x' } as Block,
      ),
      accent: 'red;background:url(https://x.example)',
    });
    expect(html).not.toMatch(/href="\s*javascript/i);
    expect(html).not.toContain('data:');
    expect(html).not.toContain('x.example');
    expect(html).toContain('alt="&quot; onerror=&quot;x"');
    expect(html).toContain('href="https://b.example/?c=1&amp;d=');
    expect(safeAddress('{{unsubscribe_url}}')).toBe('{{unsubscribe_url}}');
  });

  it('keeps pictures and columns within their width', () => {
    const wide = { ...newBlock('image', '1'), src: 'https://b.example/a.png', width: 4_000 } as Block;
    const columns: Block = { id: '1', type: 'columns', columns: [[wide], [newBlock('divider', '1')]] };
    expect(htmlOf(withBlocks(wide))).toContain('width="536"');
    expect(htmlOf(withBlocks(columns))).toContain('width="256"');
  });

  it('writes in a colour that is read on the accent', () => {
    const button = { ...newBlock('button', '1'), label: 'Go' } as Block;
    const inkOn = (accent: string) =>
      /font:600 16px[^>]*;color:(#\w+)/.exec(htmlOf({ ...withBlocks(button), accent }))?.[1];
    expect([inkOn('#3538cd'), inkOn('#f2b600')]).toEqual(['#ffffff', '#1b1f24']);
  });
});

describe('a stored design', () => {
  it('is read back as it was stored, and only if it is complete', () => {
    const design = withBlocks(
      ...(
        ['heading', 'text', 'image', 'button', 'list', 'columns', 'divider', 'spacer', 'footer'] as const
      ).map((type, at) => newBlock(type, String(at))),
    );
    const stored = (change: object) =>
      JSON.parse(JSON.stringify({ ...design, ...change })) as Record<string, unknown>;
    expect(designOf(stored({}))).toEqual(design);
    const wrong = { ...newBlock('text', '1'), align: '"><script>' };
    const changes = [
      { version: 2 },
      { format: 'other' },
      { blocks: [{ type: 'video', id: '1' }] },
      { blocks: [wrong] },
    ];
    expect(changes.map((change) => designOf(stored(change)))).toEqual([null, null, null, null]);
    expect(designOf(null)).toBeNull();
    expect(newId(design.blocks)).toBe('9');
  });
});
