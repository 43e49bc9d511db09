// The form of each kind of block.
import {
  NumberInput,
  Select,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { blocks as blockTexts } from '../../../texts/blocks.js';
import { useTexts } from '../../../texts/texts.js';
import {
  BLOCK_TYPES,
  type Align,
  type Block,
  type BlockType,
  type ColumnsBlock,
  type ImageBlock,
} from './design.js';
import { safeAddress } from './render.js';

interface FormProps<B extends Block> {
  block: B;
  onChange: (block: Block) => void;
  isFixed: boolean;
  /** Draws the list of a column: a list has forms, and one of them has lists. */
  drawList: DrawList;
}

export type DrawList = (list: {
  label: string;
  blocks: readonly Block[];
  types: readonly BlockType[];
  onChange: (blocks: Block[]) => void;
}) => ReactNode;

const ALIGNS: readonly Align[] = ['left', 'center', 'right'];

export function BlockForm({ block, onChange, isFixed, drawList }: FormProps<Block>) {
  const t = useTexts(blockTexts);
  switch (block.type) {
    case 'heading':
      return (
        <Stack gap="sm">
          <TextInput
            label={t.text}
            readOnly={isFixed}
            value={block.text}
            onChange={(event) => onChange({ ...block, text: event.currentTarget.value })}
          />
          <Select
            label={t.level}
            readOnly={isFixed}
            data={[
              { value: '1', label: t.levels.large },
              { value: '2', label: t.levels.small },
            ]}
            value={String(block.level)}
            onChange={(value) => onChange({ ...block, level: value === '1' ? 1 : 2 })}
          />
          <AlignField
            value={block.align}
            isFixed={isFixed}
            onChange={(align) => onChange({ ...block, align })}
          />
        </Stack>
      );
    case 'text':
      return (
        <Stack gap="sm">
          <Textarea
            label={t.text}
            description={t.textHint}
            minRows={4}
            maxRows={20}
            readOnly={isFixed}
            value={block.text}
            onChange={(event) => onChange({ ...block, text: event.currentTarget.value })}
          />
          <AlignField
            value={block.align}
            isFixed={isFixed}
            onChange={(align) => onChange({ ...block, align })}
          />
        </Stack>
      );
    case 'image':
      return <ImageForm block={block} onChange={onChange} isFixed={isFixed} />;
    case 'button':
      return (
        <Stack gap="sm">
          <TextInput
            label={t.label}
            readOnly={isFixed}
            value={block.label}
            onChange={(event) => onChange({ ...block, label: event.currentTarget.value })}
          />
          <AddressField
            label={t.href}
            value={block.href}
            isFixed={isFixed}
            onChange={(href) => onChange({ ...block, href })}
          />
          <AlignField
            value={block.align}
            isFixed={isFixed}
            onChange={(align) => onChange({ ...block, align })}
          />
        </Stack>
      );
    case 'list':
      return (
        <Stack gap="sm">
          <Textarea
            label={t.items}
            description={t.itemsHint}
            readOnly={isFixed}
            value={block.items}
            onChange={(event) => onChange({ ...block, items: event.currentTarget.value })}
          />
          <Switch
            label={t.numbered}
            disabled={isFixed}
            checked={block.isNumbered}
            onChange={(event) => onChange({ ...block, isNumbered: event.currentTarget.checked })}
          />
        </Stack>
      );
    case 'spacer':
      return (
        <NumberInput
          label={t.height}
          min={4}
          max={200}
          suffix=" px"
          readOnly={isFixed}
          value={block.height}
          onChange={(value) => onChange({ ...block, height: Number(value) || 4 })}
        />
      );
    case 'divider':
      return <Text size="sm">{t.dividerHint}</Text>;
    case 'footer':
      return (
        <Textarea
          label={t.text}
          description={t.footerHint}
          readOnly={isFixed}
          value={block.text}
          onChange={(event) => onChange({ ...block, text: event.currentTarget.value })}
        />
      );
    case 'columns':
      return <ColumnsForm block={block} onChange={onChange} drawList={drawList} />;
  }
}

function AlignField({
  value,
  onChange,
  isFixed,
}: {
  value: Align;
  onChange: (align: Align) => void;
  isFixed: boolean;
}) {
  const t = useTexts(blockTexts);
  return (
    <SegmentedControl
      size="xs"
      aria-label={t.align}
      readOnly={isFixed}
      style={{ alignSelf: 'flex-start' }}
      value={value}
      onChange={onChange}
      data={ALIGNS.map((align) => ({ value: align, label: t.aligns[align] }))}
    />
  );
}

function AddressField({
  label,
  value,
  onChange,
  isFixed,
}: {
  label: string;
  value: string;
  onChange: (address: string) => void;
  isFixed: boolean;
}) {
  const t = useTexts(blockTexts);
  const isWrong = value.trim() !== '' && safeAddress(value) === '';
  return (
    <TextInput
      label={label}
      readOnly={isFixed}
      value={value}
      error={isWrong ? t.addressWrong : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function ImageForm({ block, onChange, isFixed }: Omit<FormProps<ImageBlock>, 'drawList'>) {
  const t = useTexts(blockTexts);
  return (
    <Stack gap="sm">
      <AddressField
        label={t.src}
        value={block.src}
        isFixed={isFixed}
        onChange={(src) => onChange({ ...block, src })}
      />
      <TextInput
        label={t.alt}
        description={t.altHint}
        readOnly={isFixed}
        value={block.alt}
        onChange={(event) => onChange({ ...block, alt: event.currentTarget.value })}
      />
      <AddressField
        label={t.imageHref}
        value={block.href}
        isFixed={isFixed}
        onChange={(href) => onChange({ ...block, href })}
      />
      <NumberInput
        label={t.width}
        min={16}
        max={536}
        suffix=" px"
        readOnly={isFixed}
        value={block.width}
        onChange={(value) => onChange({ ...block, width: Number(value) || 536 })}
      />
      <AlignField value={block.align} isFixed={isFixed} onChange={(align) => onChange({ ...block, align })} />
    </Stack>
  );
}

/** Columns cannot contain columns, because few mail clients display these well. */
const INNER = BLOCK_TYPES.filter((type) => type !== 'columns' && type !== 'footer');

function ColumnsForm({ block, onChange, drawList }: Omit<FormProps<ColumnsBlock>, 'isFixed'>) {
  const t = useTexts(blockTexts);
  const [left, right] = block.columns;
  return (
    <div className="mk-grid">
      <section>
        <Text size="sm" fw={500} mb={4}>
          {t.left}
        </Text>
        {drawList({
          label: t.left,
          blocks: left,
          types: INNER,
          onChange: (blocks) => onChange({ ...block, columns: [blocks, right] }),
        })}
      </section>
      <section>
        <Text size="sm" fw={500} mb={4}>
          {t.right}
        </Text>
        {drawList({
          label: t.right,
          blocks: right,
          types: INNER,
          onChange: (blocks) => onChange({ ...block, columns: [left, blocks] }),
        })}
      </section>
    </div>
  );
}
