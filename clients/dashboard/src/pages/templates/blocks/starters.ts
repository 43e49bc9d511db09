// Designs that a template may begin with.
import type { StarterTexts } from '../../../texts/starters.js';
import type { Translated } from '../../../texts/texts.js';
import { newDesign, type Align, type Block, type Design } from './design.js';

export const STARTERS = ['blank', 'newsletter', 'welcome', 'receipt'] as const;
export type Starter = (typeof STARTERS)[number];

const LINK = 'https://example.com';
const align: Align = 'left';

/** A block without the id, which its place gives. */
type Part = Block extends infer B ? (B extends Block ? Omit<B, 'id'> : never) : never;

const heading = (text: string, level: 1 | 2): Part => ({ type: 'heading', text, level, align });
const text = (words: string): Part => ({ type: 'text', text: words, align });
const button = (label: string): Part => ({ type: 'button', label, href: LINK, align });
const divider: Part = { type: 'divider' };

function partsOf(starter: Exclude<Starter, 'blank'>, t: Translated<StarterTexts>): Part[] {
  switch (starter) {
    case 'newsletter': {
      const { newsletter: n } = t;
      return [
        ...[heading(n.heading, 1), text(n.intro), divider],
        ...[heading(n.first, 2), text(n.firstText), button(n.more), divider],
        ...[heading(n.second, 2), text(n.secondText), button(n.more)],
      ];
    }
    case 'welcome': {
      const { welcome: w } = t;
      const steps: Part = { type: 'list', items: w.steps, isNumbered: true };
      return [heading(w.heading, 1), text(w.intro), steps, button(w.action)];
    }
    case 'receipt': {
      const { receipt: r } = t;
      return [heading(r.heading, 1), text(r.intro), divider, text(r.details), divider, button(r.action)];
    }
  }
}

/** `brand`: the accent colour of the organization, as `#rrggbb`; null for the usual one. */
export function starterDesign(
  starter: Starter,
  {
    texts,
    blank,
    brand,
  }: {
    texts: Translated<StarterTexts>;
    blank: { heading: string; text: string };
    brand: string | null;
  },
): Design {
  const design = newDesign(blank.heading, blank.text);
  const accent = brand ?? design.accent;
  if (starter === 'blank') return { ...design, accent };
  const parts: Part[] = [...partsOf(starter, texts), { type: 'footer', text: texts.footer }];
  return { ...design, accent, blocks: parts.map((part, at): Block => ({ ...part, id: String(at + 1) })) };
}
