// The mail as an editable page: clicking a text edits it in place.
import { Textarea, UnstyledButton } from '@mantine/core';
import { useMemo, useState, type CSSProperties, type ReactNode } from 'react';
import { blocks as blockTexts } from '../../../texts/blocks.js';
import { useTexts } from '../../../texts/texts.js';
import type { Align, Block, Design } from './design.js';
import { accentOf, backgroundOf, inkOn, inline } from './render.js';

type Kind = 'heading' | 'subheading' | 'text' | 'bullets' | 'numbers' | 'button' | 'footer';
const ONE_LINE: readonly Kind[] = ['heading', 'subheading', 'button'];
const SIDES: Record<Align, string> = { left: 'start', center: 'center', right: 'end' };

export function BlockCanvas({ design, onChange }: { design: Design; onChange: (design: Design) => void }) {
  const t = useTexts(blockTexts);
  return (
    <section className="mk-canvas" aria-label={t.canvas} style={{ background: backgroundOf(design) }}>
      <div className="mk-canvas-paper">
        <CanvasBlocks
          blocks={design.blocks}
          accent={accentOf(design)}
          onChange={(blocks) => onChange({ ...design, blocks })}
        />
      </div>
    </section>
  );
}

function CanvasBlocks({
  blocks,
  accent,
  onChange,
}: {
  blocks: readonly Block[];
  accent: string;
  onChange: (blocks: Block[]) => void;
}) {
  const t = useTexts(blockTexts);
  return blocks.map((block, at) => (
    <CanvasBlock
      key={block.id}
      block={block}
      name={`${t.types[block.type]} ${at + 1}`}
      accent={accent}
      onChange={(next) => onChange(blocks.map((one) => (one.id === block.id ? next : one)))}
    />
  ));
}

function CanvasBlock({
  block,
  name,
  accent,
  onChange,
}: {
  block: Block;
  name: string;
  accent: string;
  onChange: (block: Block) => void;
}) {
  const written = { name, accent };
  switch (block.type) {
    case 'heading':
      return (
        <Written
          {...written}
          text={block.text}
          kind={block.level === 1 ? 'heading' : 'subheading'}
          style={{ textAlign: block.align }}
          onChange={(text) => onChange({ ...block, text })}
        />
      );
    case 'text':
      return (
        <Written
          {...written}
          text={block.text}
          style={{ textAlign: block.align }}
          onChange={(text) => onChange({ ...block, text })}
        />
      );
    case 'list':
      return (
        <Written
          {...written}
          text={block.items}
          kind={block.isNumbered ? 'numbers' : 'bullets'}
          onChange={(items) => onChange({ ...block, items })}
        />
      );
    case 'footer':
      return (
        <Written
          {...written}
          text={block.text}
          kind="footer"
          onChange={(text) => onChange({ ...block, text })}
        />
      );
    case 'button':
      return (
        <Written
          {...written}
          text={block.label}
          kind="button"
          style={{ background: accent, color: inkOn(accent), alignSelf: SIDES[block.align] }}
          onChange={(label) => onChange({ ...block, label })}
        />
      );
    case 'image':
      return <div className="mk-canvas-image">{block.alt === '' ? name : block.alt}</div>;
    case 'divider':
      return <hr />;
    case 'spacer':
      return <div style={{ height: block.height }} />;
    case 'columns': {
      const [left, right] = block.columns;
      return (
        <div className="mk-canvas-columns">
          <div>
            <CanvasBlocks
              blocks={left}
              accent={accent}
              onChange={(blocks) => onChange({ ...block, columns: [blocks, right] })}
            />
          </div>
          <div>
            <CanvasBlocks
              blocks={right}
              accent={accent}
              onChange={(blocks) => onChange({ ...block, columns: [left, blocks] })}
            />
          </div>
        </div>
      );
    }
  }
}

/** Shows a text as the mail does, and its source while it is edited. */
function Written({
  name,
  kind = 'text',
  text,
  accent,
  style = {},
  onChange,
}: {
  name: string;
  kind?: Kind;
  text: string;
  accent: string;
  style?: CSSProperties;
  onChange: (text: string) => void;
}) {
  const t = useTexts(blockTexts);
  // Escape and Enter return the focus to the text; a click elsewhere moves the focus there.
  const [state, setState] = useState<'shown' | 'edited' | 'left by key'>('shown');
  const isOneLine = ONE_LINE.includes(kind);
  if (state === 'edited') {
    return (
      <Textarea
        aria-label={name}
        variant="unstyled"
        className="mk-canvas-text"
        data-kind={kind}
        data-edited
        style={style}
        minRows={1}
        autoFocus
        value={text}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
        onChange={({ currentTarget: { value } }) =>
          onChange(isOneLine ? value.replaceAll(/\s*\n\s*/g, ' ') : value)
        }
        onBlur={() => setState('shown')}
        onKeyDown={({ key, nativeEvent }) => {
          if (nativeEvent.isComposing || !(key === 'Escape' || (isOneLine && key === 'Enter'))) return;
          nativeEvent.preventDefault();
          setState('left by key');
        }}
      />
    );
  }
  return (
    <UnstyledButton
      className="mk-canvas-text"
      data-kind={kind}
      title={t.editHere}
      style={style}
      autoFocus={state === 'left by key'}
      onClick={() => setState('edited')}
    >
      {text.trim() === '' ? (
        <span className="mk-canvas-empty">{name}</span>
      ) : (
        linesOf(text, kind).map((line, at) => (
          <span key={at}>{kind === 'button' ? line : <Inline text={line} accent={accent} />}</span>
        ))
      )}
    </UnstyledButton>
  );
}

/** Returns the paragraphs of a text, the items of a list, or a heading unchanged. */
function linesOf(text: string, kind: Kind): string[] {
  if (ONE_LINE.includes(kind)) return [text];
  const isList = kind === 'bullets' || kind === 'numbers';
  return text
    .split(isList ? '\n' : /\n{2,}/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function Inline({ text, accent }: { text: string; accent: string }): ReactNode {
  return useMemo(() => {
    const parsed = new DOMParser().parseFromString(inline(text, accent), 'text/html');
    return drawNodes(parsed.body, accent);
  }, [text, accent]);
}

/** Draws the elements that `inline` writes. Any other element, such as one typed into a placeholder, is drawn as its text. */
function drawNodes(parent: Node, accent: string): ReactNode[] {
  return [...parent.childNodes].map((node, at) => {
    const inner = drawNodes(node, accent);
    switch (node.nodeName) {
      case 'STRONG':
        return <strong key={at}>{inner}</strong>;
      case 'EM':
        return <em key={at}>{inner}</em>;
      case 'BR':
        return <br key={at} />;
      case 'A':
        return (
          <u key={at} style={{ color: accent }}>
            {inner}
          </u>
        );
      default:
        return node.textContent;
    }
  });
}
