// Filters of a list. They are part of the page's address, so that a view can be shared and the Back button works.
import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useSearchTexts } from '../data/address.js';
import { localOf } from '../data/local-time.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { useFormat } from './format.js';
import { Icon } from './icon.js';
import { ListPicker, SubTenantPicker } from './pickers.js';
import type { Range } from './range-select.js';
import { SearchMultiSelect, SearchSelect } from './search-select.js';

const TYPING_MS = 300;
/** More choices than these are searched by typing. */
const MANY = 12;

export interface Choice {
  value: string;
  label: string;
}

/** Choices under a heading. */
export interface ChoiceGroup {
  group: string;
  items: Choice[];
}

const PICKERS = { list: ListPicker, subTenant: SubTenantPicker };

export type Filter =
  | { kind: 'text'; name: string; label: string; placeholder?: string }
  | { kind: 'choice'; name: string; label: string; choices: readonly (Choice | ChoiceGroup)[] }
  | { kind: 'choices'; name: string; label: string; choices: readonly (Choice | ChoiceGroup)[] }
  | { kind: 'record'; of: keyof typeof PICKERS; name: string; label: string }
  /** A time range, whose end has its own parameter. */
  | { kind: 'range'; name: string; until: string; label?: string };

export interface Filters {
  /** Values by filter name, only of active filters. Several values are joined by commas, and times are complete ISO times. */
  values: Record<string, string>;
  /** As in the address, where a start can be `-7d`. */
  written: Record<string, string>;
  /** Names of active filters. */
  set: string[];
  cursor: string | undefined;
  change: (changes: Record<string, string | undefined>) => void;
}

/** Reads the filters of these names from the address. A change begins at the first page again. */
export function useFilters(names: readonly string[]): Filters {
  const search = useSearchTexts();
  const navigate = useNavigate();
  const values: Record<string, string> = {};
  const written: Record<string, string> = {};
  for (const name of names) {
    const value = search[name];
    if (value === undefined) continue;
    written[name] = value;
    values[name] = timeBefore(value) ?? value;
  }
  return {
    values,
    written,
    set: Object.keys(values),
    cursor: search['cursor'],
    change: (changes) => {
      void navigate({ to: '.', search: { ...search, ...changes, cursor: undefined }, replace: true });
    },
  };
}

const HOUR_MS = 3_600_000;

/**
 * Returns the time that `-24h` or `-7d` means, rounded to the hour, so that reads stay cached for a while; null for other texts.
 */
function timeBefore(text: string): string | null {
  const [, count, unit] = /^-(\d{1,3})([hd])$/.exec(text) ?? [];
  if (count === undefined) return null;
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  return new Date(hour - Number(count) * (unit === 'h' ? 1 : 24) * HOUR_MS).toISOString();
}

/** One value in the address, such as the open tab. Changing it returns a list to its first page, or to the given cursor. */
export function useSearchValue(
  name: string,
  fallback: string,
): [string, (value: string, cursor?: string) => void] {
  const search = useSearchTexts();
  const navigate = useNavigate();
  const set = (value: string, cursor?: string) => {
    const given = { ...search, cursor, [name]: value === fallback ? undefined : value };
    void navigate({ to: '.', search: given, replace: true });
  };
  return [search[name] ?? fallback, set];
}

export function FilterBar({
  filters,
  of,
  children,
}: {
  filters: readonly Filter[];
  of: Filters;
  /** Stands at the end. */
  children?: ReactNode;
}) {
  const t = useTexts(common);
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const name = of.set.length === 0 ? t.filter.label : t.filter.count(format.count(of.set.length));
  return (
    <div className="mk-filters" role="search" aria-label={t.filter.label} data-open={isOpen}>
      <Button
        className="mk-filters-toggle"
        variant="default"
        leftSection={<Icon name="filter" size={16} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {name}
      </Button>
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} of={of} />
      ))}
      {of.set.length === 0 ? null : (
        <Button
          variant="subtle"
          onClick={() => of.change(Object.fromEntries(of.set.map((name) => [name, undefined])))}
        >
          {t.list.clear}
        </Button>
      )}
      {children}
    </div>
  );
}

function FilterField({ filter, of }: { filter: Filter; of: Filters }) {
  const t = useTexts(common);
  const value = of.values[filter.name] ?? '';
  switch (filter.kind) {
    case 'text':
      return (
        <TextFilter filter={filter} value={value} onChange={(text) => of.change({ [filter.name]: text })} />
      );
    case 'choice': {
      const ChoiceSelect = countOf(filter.choices) > MANY ? SearchSelect : Select;
      return (
        <ChoiceSelect
          label={filter.label}
          placeholder={t.filter.any}
          data={filter.choices}
          value={value === '' ? null : value}
          clearable
          clearButtonProps={{ 'aria-label': t.list.clear }}
          onChange={(next) => of.change({ [filter.name]: next ?? undefined })}
        />
      );
    }
    case 'choices': {
      const ChoiceSelect = countOf(filter.choices) > MANY ? SearchMultiSelect : MultiSelect;
      return (
        <ChoiceSelect
          label={filter.label}
          {...(value === '' ? { placeholder: t.filter.any } : {})}
          data={filter.choices}
          value={value === '' ? [] : value.split(',')}
          onChange={(next) => of.change({ [filter.name]: next.join(',') })}
        />
      );
    }
    case 'record': {
      const RecordPicker = PICKERS[filter.of];
      return (
        <RecordPicker
          label={filter.label}
          placeholder={t.filter.any}
          isFilter
          value={value === '' ? null : value}
          onChange={(id) => of.change({ [filter.name]: id ?? undefined })}
        />
      );
    }
    case 'range':
      return <RangeFilter filter={filter} of={of} />;
  }
}

const RANGES: readonly Range[] = ['24h', '7d', '30d', '90d'];

/** A range of the last days, or custom times. */
function RangeFilter({ filter, of }: { filter: Extract<Filter, { kind: 'range' }>; of: Filters }) {
  const t = useTexts(common);
  const [isOwn, setOwn] = useState(false);
  const from = of.written[filter.name] ?? '';
  const until = of.written[filter.until] ?? '';
  const preset = until === '' ? RANGES.find((range) => from === `-${range}`) : undefined;
  const isCustom = isOwn || (preset === undefined && from + until !== '');
  const choose = (value: string | null) => {
    setOwn(value === 'custom');
    if (value === 'custom') return;
    of.change({ [filter.name]: value === null ? undefined : `-${value}`, [filter.until]: undefined });
  };
  const time = (name: string, label: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      value={localOf(of.values[name] ?? '')}
      onChange={(event) => {
        const given = event.currentTarget.value;
        of.change({ [name]: given === '' ? undefined : new Date(given).toISOString() });
      }}
    />
  );
  return (
    <>
      <Select
        label={filter.label ?? t.range.label}
        placeholder={t.range.any}
        data={[
          ...RANGES.map((range) => ({ value: range as string, label: t.range.names[range] })),
          { value: 'custom', label: t.range.custom },
        ]}
        value={isCustom ? 'custom' : (preset ?? null)}
        clearable
        clearButtonProps={{ 'aria-label': t.list.clear }}
        onChange={choose}
      />
      {isCustom ? time(filter.name, t.filter.from) : null}
      {isCustom ? time(filter.until, t.filter.to) : null}
    </>
  );
}

function countOf(choices: readonly (Choice | ChoiceGroup)[]): number {
  return choices.reduce((sum, one) => sum + ('group' in one ? one.items.length : 1), 0);
}

/** Asks when the person has stopped typing. */
function TextFilter({
  filter,
  value,
  onChange,
}: {
  filter: Extract<Filter, { kind: 'text' }>;
  value: string;
  onChange: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const tell = useDebouncedCallback((next: string) => {
    reported.current = next;
    onChange(next);
  }, TYPING_MS);
  // Shows the value of the address when something else has changed it, such as "Clear filters". Keeps text that is being typed.
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    tell.cancel();
    setText(value);
  }, [value, tell]);
  return (
    <TextInput
      label={filter.label}
      placeholder={filter.placeholder ?? ''}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value.trim());
      }}
    />
  );
}
