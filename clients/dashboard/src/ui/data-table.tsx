// A page of a list: rows whose first cell is a link, empty states, the pager, and selection of rows for an action.
import { Button, Checkbox, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSearchTexts } from '../data/address.js';
import type { ListPage } from '../data/read.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Icon } from './icon.js';
import { EmptyState, ErrorState, Loading, type EmptyStateProps } from './states.js';

export interface Column<T> {
  /** Columns of the table. The first one names the row. */
  key: string;
  /** Empty for a column of buttons. */
  label: string;
  cell: (row: T) => ReactNode;
  align?: 'right';
  /** Hidden on phones. */
  isWide?: boolean;
}

export interface DataTableProps<T> {
  /** Accessible name of the table. */
  label: string;
  list: UseQueryResult<ListPage<T>>;
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  /** Shown if the list is empty. */
  empty: EmptyStateProps;
  /** Names of the active filters, because an empty result then has a different text. */
  filters?: readonly string[];
  selection?: Selection<T>;
}

export interface Selection<T> {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  nameOf: (row: T) => string;
}

export function DataTable<T>({
  label,
  list,
  columns,
  rowKey,
  empty,
  filters = [],
  selection,
}: DataTableProps<T>) {
  const t = useTexts(common);
  const { data } = list;
  if (data === undefined) {
    if (list.isPending) return <Loading lines={8} />;
    return (
      <>
        <ErrorState error={list.error} retry={list.refetch} />
        <Pager cursor={null} label={t.list.next} />
      </>
    );
  }
  if (data.rows.length === 0) {
    if (data.nextCursor !== null) return <Pager cursor={data.nextCursor} label={t.list.further} />;
    if (filters.length > 0) return <NoMatch filters={filters} />;
    return <EmptyState {...empty} />;
  }
  return (
    <>
      <div className="mk-table-frame" role="region" aria-label={label} tabIndex={0}>
        <table className="mk-table mk-rows" aria-busy={list.isFetching}>
          <thead>
            <tr>
              {selection === undefined ? null : (
                <SelectAll rows={data.rows} rowKey={rowKey} selection={selection} />
              )}
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  data-align={column.align}
                  className={column.isWide === true ? 'mk-wide' : undefined}
                >
                  {column.label === '' ? <VisuallyHidden>{t.more}</VisuallyHidden> : column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={rowKey(row)}>
                {selection === undefined ? null : (
                  <SelectOne row={row} id={rowKey(row)} selection={selection} />
                )}
                {columns.map((column) => (
                  <td
                    key={column.key}
                    data-align={column.align}
                    data-label={column.label}
                    className={column.isWide === true ? 'mk-wide' : undefined}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager cursor={data.nextCursor} label={t.list.next} />
    </>
  );
}

function SelectAll<T>({
  rows,
  rowKey,
  selection: { selected, onChange },
}: {
  rows: readonly T[];
  rowKey: (row: T) => string;
  selection: Selection<T>;
}) {
  const t = useTexts(common);
  const keys = rows.map(rowKey);
  const count = keys.filter((key) => selected.has(key)).length;
  return (
    <th scope="col" style={{ width: 36 }}>
      <Checkbox
        size="xs"
        aria-label={t.list.selectAll}
        checked={count === keys.length}
        indeterminate={count > 0 && count < keys.length}
        onChange={(event) => onChange(new Set(event.currentTarget.checked ? keys : []))}
      />
    </th>
  );
}

function SelectOne<T>({
  row,
  id,
  selection: { selected, onChange, nameOf },
}: {
  row: T;
  id: string;
  selection: Selection<T>;
}) {
  const t = useTexts(common);
  return (
    <td>
      <Checkbox
        size="xs"
        aria-label={t.list.select(nameOf(row))}
        checked={selected.has(id)}
        onChange={(event) => {
          const next = new Set(selected);
          if (event.currentTarget.checked) next.add(id);
          else next.delete(id);
          onChange(next);
        }}
      />
    </td>
  );
}

/** Links to the next and the first page. The address contains the cursor. */
function Pager({ cursor, label }: { cursor: string | null; label: string }) {
  const navigate = useNavigate();
  const search = useSearchTexts();
  return (
    <PageButtons
      isFirst={search['cursor'] === undefined}
      next={cursor}
      label={label}
      go={(to) => void navigate({ to: '.', search: { ...search, cursor: to } })}
    />
  );
}

interface PageButtonsProps {
  isFirst: boolean;
  /** Cursor of the next page; null on the last one. */
  next: string | null;
  label: string;
  /** Opens the page of a cursor, or the first one. */
  go: (to: string | undefined) => void;
}

/** Buttons to the next page and to the first one, as far as there are other pages. */
export function PageButtons({ isFirst, next, label, go }: PageButtonsProps) {
  const t = useTexts(common);
  if (next === null && isFirst) return null;
  return (
    <div className="mk-pager">
      {isFirst ? null : (
        <Button variant="subtle" onClick={() => go(undefined)}>
          {t.list.first}
        </Button>
      )}
      {next === null ? null : (
        <Button variant="default" rightSection={<Icon name="right" size={16} />} onClick={() => go(next)}>
          {label}
        </Button>
      )}
    </div>
  );
}

function NoMatch({ filters }: { filters: readonly string[] }) {
  const t = useTexts(common);
  const navigate = useNavigate();
  const search = useSearchTexts();
  const clear = () => {
    const kept = Object.entries(search).filter(([name]) => name !== 'cursor' && !filters.includes(name));
    void navigate({ to: '.', search: Object.fromEntries(kept) });
  };
  return (
    <EmptyState
      icon="filter"
      title={t.list.noMatch}
      action={
        <Button variant="default" onClick={clear}>
          {t.list.clear}
        </Button>
      }
    >
      {t.list.noMatchHint}
    </EmptyState>
  );
}
