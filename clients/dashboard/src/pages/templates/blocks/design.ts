// The blocks of a mail, stored together with the HTML generated from them.

const ALIGNS = ['left', 'center', 'right'] as const;
export type Align = (typeof ALIGNS)[number];

interface Placed {
  /** Unlike that of its neighbours. */
  id: string;
}

export interface HeadingBlock extends Placed {
  type: 'heading';
  text: string;
  level: 1 | 2;
  align: Align;
}
/** Paragraphs, with an empty line between them; `**bold**`, `*italic*` and `[label](address)`. */
export interface TextBlock extends Placed {
  type: 'text';
  text: string;
  align: Align;
}
export interface ImageBlock extends Placed {
  type: 'image';
  src: string;
  alt: string;
  href: string;
  /** In pixels, at most the width of the column. */
  width: number;
  align: Align;
}
export interface ButtonBlock extends Placed {
  type: 'button';
  label: string;
  href: string;
  align: Align;
}
export interface DividerBlock extends Placed {
  type: 'divider';
}
export interface SpacerBlock extends Placed {
  type: 'spacer';
  /** Pixels. */
  height: number;
}
export interface ListBlock extends Placed {
  type: 'list';
  /** One per line. */
  items: string;
  isNumbered: boolean;
}
export interface FooterBlock extends Placed {
  type: 'footer';
  text: string;
}
export interface ColumnsBlock extends Placed {
  type: 'columns';
  columns: [Block[], Block[]];
}

export type Block =
  | HeadingBlock
  | TextBlock
  | ImageBlock
  | ButtonBlock
  | DividerBlock
  | SpacerBlock
  | ListBlock
  | FooterBlock
  | ColumnsBlock;
export type BlockType = Block['type'];

export interface Design {
  format: 'mailkeel_blocks';
  version: 1;
  /** As `#rrggbb`. */
  accent: string;
  background: string;
  blocks: Block[];
}

export const BLOCK_TYPES: readonly BlockType[] = [
  ...(['heading', 'text', 'image', 'button', 'list', 'columns', 'divider', 'spacer', 'footer'] as const),
];

/** Returns the design of a template; null for a design of another editor, and without one. */
export function designOf(stored: Readonly<Record<string, unknown>> | null): Design | null {
  if (stored === null || stored['format'] !== 'mailkeel_blocks' || stored['version'] !== 1) return null;
  const { accent, background, blocks } = stored;
  if (typeof accent !== 'string' || typeof background !== 'string' || !areBlocks(blocks)) return null;
  return { format: 'mailkeel_blocks', version: 1, accent, background, blocks };
}

/** Returns a separately stored block; null if this editor cannot read it. */
export function blockOf(stored: unknown): Block | null {
  return isBlock(stored) ? stored : null;
}

const FIELDS: Record<BlockType, Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object'>>> = {
  heading: { text: 'string', level: 'number', align: 'string' },
  text: { text: 'string', align: 'string' },
  image: { src: 'string', alt: 'string', href: 'string', width: 'number', align: 'string' },
  button: { label: 'string', href: 'string', align: 'string' },
  list: { items: 'string', isNumbered: 'boolean' },
  columns: { columns: 'object' },
  divider: {},
  spacer: { height: 'number' },
  footer: { text: 'string' },
};

function areBlocks(value: unknown): value is Block[] {
  return Array.isArray(value) && value.every(isBlock);
}

function isBlock(value: unknown): value is Block {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Record<string, unknown>;
  const type = BLOCK_TYPES.find((one) => one === block['type']);
  if (type === undefined || typeof block['id'] !== 'string') return false;
  if (!Object.entries(FIELDS[type]).every(([name, kind]) => typeof block[name] === kind)) return false;
  if ('align' in FIELDS[type] && !ALIGNS.some((align) => align === block['align'])) return false;
  if (type === 'heading' && block['level'] !== 1 && block['level'] !== 2) return false;
  if (type !== 'columns') return true;
  const { columns } = block;
  return Array.isArray(columns) && columns.length === 2 && columns.every(areBlocks);
}

export function newDesign(heading: string, text: string): Design {
  return {
    format: 'mailkeel_blocks',
    version: 1,
    accent: '#3538cd',
    background: '#f6f7f9',
    blocks: [
      { id: '1', type: 'heading', text: heading, level: 1, align: 'left' },
      { id: '2', type: 'text', text, align: 'left' },
    ],
  };
}

export function newId(blocks: readonly Block[]): string {
  return String(blocks.reduce((most, { id }) => Math.max(most, Number(id) || 0), 0) + 1);
}

export function newBlock(type: BlockType, id: string): Block {
  const align: Align = 'left';
  switch (type) {
    case 'heading':
      return { id, type, text: '', level: 2, align };
    case 'text':
      return { id, type, text: '', align };
    case 'image':
      return { id, type, src: '', alt: '', href: '', width: 536, align: 'center' };
    case 'button':
      return { id, type, label: '', href: 'https://', align };
    case 'list':
      return { id, type, items: '', isNumbered: false };
    case 'columns':
      return { id, type, columns: [[newBlock('text', '1')], [newBlock('text', '1')]] };
    case 'divider':
      return { id, type };
    case 'spacer':
      return { id, type, height: 24 };
    case 'footer':
      return { id, type, text: '' };
  }
}
