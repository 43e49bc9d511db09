// One row of a list in full, beside the list. Which row is open stands in the address, so that it can be sent to somebody.
import { Drawer, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchTexts } from '../data/address.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { useSearchValue } from './filters.js';
import { PageLink } from './links.js';

const OPEN = 'open';

/** The first cell of a row: a link that opens the row. `path` is that of the list. */
export function RowLink({ path, id, children }: { path: string; id: string; children: ReactNode }) {
  const search = useSearchTexts();
  return (
    <PageLink to={path} search={{ ...search, [OPEN]: id }} className="mk-clip">
      {children}
    </PageLink>
  );
}

export interface RowDrawerProps<T> {
  rows: readonly T[];
  keyOf: (row: T) => string;
  titleOf: (row: T) => string;
  children: (row: T) => ReactNode;
}

/** Nothing while no row of this page is open. */
export function RowDrawer<T>({ rows, keyOf, titleOf, children }: RowDrawerProps<T>) {
  const t = useTexts(common);
  const [open, setOpen] = useSearchValue(OPEN, '');
  const { cursor } = useSearchTexts();
  const row = rows.find((one) => keyOf(one) === open);
  return (
    <Drawer
      opened={row !== undefined}
      onClose={() => setOpen('', cursor)}
      position="right"
      size="lg"
      title={row === undefined ? '' : titleOf(row)}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {row === undefined ? null : <Stack>{children(row)}</Stack>}
    </Drawer>
  );
}
