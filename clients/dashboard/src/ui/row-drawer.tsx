// Details of one row beside its list. Which one is open stands in the address, so that it can be sent to somebody.
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { useSearchValue } from './filters.js';

export function RowDrawer<T>({
  name,
  title,
  rows,
  rowKey,
  children,
}: {
  /** Of the value in the address. */
  name: string;
  title: string;
  rows: readonly T[];
  rowKey: (row: T) => string;
  children: (row: T) => ReactNode;
}) {
  const t = useTexts(common);
  const [open, setOpen] = useSearchValue(name, '');
  const shown = open === '' ? undefined : rows.find((row) => rowKey(row) === open);
  return (
    <Drawer
      opened={shown !== undefined}
      onClose={() => setOpen('')}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {shown === undefined ? null : children(shown)}
    </Drawer>
  );
}
