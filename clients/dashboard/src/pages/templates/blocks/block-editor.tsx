// Builds a mail from blocks, each with a form and buttons to move, duplicate and remove it.
import { ActionIcon, Button, Group, Menu, Stack, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { blocks as blockTexts } from '../../../texts/blocks.js';
import { useRead } from '../../../data/read.js';
import { useTexts } from '../../../texts/texts.js';
import { Icon, type IconName } from '../../../ui/icon.js';
import { BlockForm } from './block-forms.js';
import { SavedBlockDialogs, useSavedBlocks, type SavedBlockTask, type UsableBlock } from './saved-blocks.js';
import { BLOCK_TYPES, newBlock, newId, type Block, type BlockType, type Design } from './design.js';

const ICONS: Record<BlockType, IconName> = {
  ...{ heading: 'text', text: 'template', image: 'image', button: 'click', list: 'lists' },
  ...{ columns: 'split', divider: 'minus', spacer: 'down', footer: 'info' },
};

export function BlockEditor({
  design,
  onChange,
  isFixed,
  subTenantId,
}: {
  design: Design;
  onChange: (design: Design) => void;
  isFixed: boolean;
  /** Owner of the template; null for the workspace. */
  subTenantId: string | null;
}) {
  const t = useTexts(blockTexts);
  const [said, setSaid] = useState('');
  const organization = useRead(['organization'], (api, signal) => api.organization.get({ signal }));
  const saved = useSavedBlocks(subTenantId, isFixed);
  const [task, setTask] = useState<SavedBlockTask | null>(null);
  const brand = organization.data?.branding.color ?? null;
  return (
    <Stack gap="sm">
      <BlockList
        label={t.list}
        blocks={design.blocks}
        types={BLOCK_TYPES}
        onChange={(blocks) => onChange({ ...design, blocks })}
        isFixed={isFixed}
        say={setSaid}
        saved={saved}
        onSaved={setTask}
      />
      <SavedBlockDialogs task={task} onTask={setTask} saved={saved} subTenantId={subTenantId} />
      {brand === null || isFixed || design.accent === brand ? null : (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<span className="mk-swatch" style={{ background: brand }} />}
          onClick={() => onChange({ ...design, accent: brand })}
        >
          {t.useBrand}
        </Button>
      )}
      <div className="mk-fields" style={{ maxWidth: 360 }}>
        <TextInput
          type="color"
          label={t.accent}
          readOnly={isFixed}
          value={design.accent}
          onChange={(event) => onChange({ ...design, accent: event.currentTarget.value })}
        />
        <TextInput
          type="color"
          label={t.background}
          readOnly={isFixed}
          value={design.background}
          onChange={(event) => onChange({ ...design, background: event.currentTarget.value })}
        />
      </div>
      <span className="mk-said" role="status">
        {said}
      </span>
    </Stack>
  );
}

export interface BlockListProps {
  label: string;
  blocks: readonly Block[];
  types: readonly BlockType[];
  onChange: (blocks: Block[]) => void;
  isFixed: boolean;
  /** Announces changes to screen readers. */
  say: (text: string) => void;
  saved: readonly UsableBlock[];
  /** Saves a block, or opens the list of saved blocks. */
  onSaved: (task: SavedBlockTask) => void;
}

function BlockList(props: BlockListProps) {
  const { label, blocks, types, onChange, isFixed, say, saved, onSaved } = props;
  const t = useTexts(blockTexts);
  const [openId, setOpenId] = useState<string | null>(blocks[0]?.id ?? null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const endDrag = () => {
    setDragged(null);
    setOver(null);
  };
  const add = (block: Block) => {
    onChange([...blocks, block]);
    setOpenId(block.id);
    say(t.added(t.types[block.type]));
  };
  const move = (at: number, to: number) => {
    const block = blocks[at];
    if (block === undefined || to < 0 || to >= blocks.length) return;
    onChange(blocks.toSpliced(at, 1).toSpliced(to, 0, block));
    say(t.moved(t.types[block.type], to + 1, blocks.length));
  };
  return (
    <div>
      <ol className="mk-blocks" aria-label={label}>
        {blocks.map((block, at) => (
          <li
            key={block.id}
            data-dragged={dragged === at}
            data-over={
              over === at && dragged !== at
                ? dragged !== null && dragged < at
                  ? 'after'
                  : 'before'
                : undefined
            }
            onDragOver={(event) => {
              // Blocks of another list, such as a column's, stay there.
              if (dragged === null) return;
              event.preventDefault();
              setOver(at);
            }}
            onDrop={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              move(dragged, at);
              endDrag();
            }}
          >
            <BlockHead
              block={block}
              at={at}
              count={blocks.length}
              isOpen={openId === block.id}
              onToggle={() => setOpenId(openId === block.id ? null : block.id)}
              isFixed={isFixed}
              onMove={(to) => move(at, to)}
              onDrag={(isDragged) => (isDragged ? setDragged(at) : endDrag())}
              onDouble={() => {
                onChange(blocks.toSpliced(at + 1, 0, { ...structuredClone(block), id: newId(blocks) }));
                say(t.added(t.types[block.type]));
              }}
              onSave={() => onSaved({ kind: 'save', block })}
              onRemove={() => {
                onChange(blocks.toSpliced(at, 1));
                say(t.removed(t.types[block.type]));
              }}
            />
            {openId === block.id ? (
              <div className="mk-block-form">
                <BlockForm
                  block={block}
                  onChange={(next) => onChange(blocks.map((one) => (one.id === block.id ? next : one)))}
                  isFixed={isFixed}
                  drawList={(list) => <BlockList {...props} {...list} />}
                />
              </div>
            ) : null}
          </li>
        ))}
      </ol>
      {isFixed ? null : (
        <AddBlock
          types={types}
          onAdd={(type) => add(newBlock(type, newId(blocks)))}
          saved={saved.filter(({ block }) => types.includes(block.type))}
          onAddSaved={({ block }) => add({ ...structuredClone(block), id: newId(blocks) })}
          onManage={() => onSaved({ kind: 'manage' })}
        />
      )}
    </div>
  );
}

function AddBlock({
  types,
  onAdd,
  saved,
  onAddSaved,
  onManage,
}: {
  types: readonly BlockType[];
  onAdd: (type: BlockType) => void;
  saved: readonly UsableBlock[];
  onAddSaved: (saved: UsableBlock) => void;
  onManage: () => void;
}) {
  const t = useTexts(blockTexts);
  return (
    <Menu position="bottom-start" classNames={{ dropdown: 'mk-menu-tall' }}>
      <Menu.Target>
        <Button variant="default" size="xs" mt="xs" leftSection={<Icon name="plus" size={14} />}>
          {t.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {types.map((type) => (
          <Menu.Item
            key={type}
            leftSection={<Icon name={ICONS[type]} size={16} />}
            onClick={() => onAdd(type)}
          >
            {t.types[type]}
          </Menu.Item>
        ))}
        {saved.length === 0 ? null : (
          <>
            <Menu.Divider />
            <Menu.Label>{t.saved}</Menu.Label>
            {saved.map((one) => (
              <Menu.Item
                key={one.id}
                leftSection={<Icon name={ICONS[one.block.type]} size={16} />}
                onClick={() => onAddSaved(one)}
              >
                {one.name}
              </Menu.Item>
            ))}
            <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={onManage}>
              {t.manage}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Summarizes a block in one line. */
function summaryOf(block: Block): string {
  switch (block.type) {
    case 'heading':
    case 'text':
    case 'footer':
      return block.text;
    case 'button':
      return block.label;
    case 'image':
      return block.alt === '' ? block.src : block.alt;
    case 'list':
      return block.items.split('\n').join(' · ');
    case 'spacer':
      return `${block.height} px`;
    case 'columns':
      return block.columns.map((column) => column.map(summaryOf).join(' ')).join(' | ');
    case 'divider':
      return '';
  }
}

function BlockHead({
  block,
  at,
  count,
  isOpen,
  onToggle,
  isFixed,
  onMove,
  onDrag,
  onDouble,
  onSave,
  onRemove,
}: {
  block: Block;
  at: number;
  count: number;
  isOpen: boolean;
  onToggle: () => void;
  isFixed: boolean;
  onMove: (to: number) => void;
  /** The block is being dragged, or was dropped. */
  onDrag: (isDragged: boolean) => void;
  onDouble: () => void;
  onSave: () => void;
  onRemove: () => void;
}) {
  const t = useTexts(blockTexts);
  const name = `${t.types[block.type]} ${at + 1}`;
  const buttons: readonly { icon: IconName; label: string; act: () => void; isOff?: boolean }[] = [
    { icon: 'up', label: t.up(name), act: () => onMove(at - 1), isOff: at === 0 },
    { icon: 'down', label: t.down(name), act: () => onMove(at + 1), isOff: at === count - 1 },
    { icon: 'copy', label: t.double(name), act: onDouble },
    { icon: 'bookmark', label: t.save(name), act: onSave },
    { icon: 'trash', label: t.remove(name), act: onRemove },
  ];
  return (
    <div
      className="mk-block-head"
      draggable={!isFixed}
      onDragStart={(event) => {
        event.stopPropagation();
        event.dataTransfer.effectAllowed = 'move';
        onDrag(true);
      }}
      onDragEnd={() => onDrag(false)}
    >
      <UnstyledButton
        className="mk-block-name"
        aria-expanded={isOpen}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onClick={onToggle}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
          if (!event.altKey || step === 0 || isFixed) return;
          event.preventDefault();
          onMove(at + step);
        }}
      >
        {isFixed ? null : <Icon name="drag" size={14} />}
        <Icon name={ICONS[block.type]} size={16} />
        <strong>{t.types[block.type]}</strong>
        <span className="mk-clip">{isOpen ? '' : summaryOf(block)}</span>
      </UnstyledButton>
      {isFixed ? null : (
        <Group gap={2} wrap="nowrap">
          {buttons.map(({ icon, label, act, isOff = false }) => (
            <Tooltip key={icon} label={label}>
              {/* Stays a stop of the keyboard at the ends of the list, so that moving does not lose the focus. */}
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                aria-label={label}
                aria-disabled={isOff}
                style={isOff ? { opacity: 0.35 } : {}}
                onClick={isOff ? undefined : act}
              >
                <Icon name={icon} size={15} />
              </ActionIcon>
            </Tooltip>
          ))}
        </Group>
      )}
    </div>
  );
}
