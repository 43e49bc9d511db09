// Shows one row of a list in full, beside the list. The address contains the open row, so that it can be shared.
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchTexts } from '../data/address.js';
import { SideDialog } from './dialog.js';
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

/** Undefined while no row of this page is open. */
export function RowDrawer<T>({ rows, keyOf, titleOf, children }: RowDrawerProps<T>) {
  const [open, setOpen] = useSearchValue(OPEN, '');
  const { cursor } = useSearchTexts();
  const row = rows.find((one) => keyOf(one) === open);
  return (
    <SideDialog
      isOpen={row !== undefined}
      onClose={() => setOpen('', cursor)}
      title={row === undefined ? '' : titleOf(row)}
    >
      {row === undefined ? null : <Stack>{children(row)}</Stack>}
    </SideDialog>
  );
}
