// A select with search. It shows when nothing matches, and opens on a click or a key but not on focus.
import { MultiSelect, Select, type MultiSelectProps, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

export function SearchSelect<Value extends string = string>({
  onSearchChange,
  ...field
}: SelectProps<Value>) {
  const t = useTexts(common).choice;
  const [typed, setTyped] = useState('');
  return (
    <Select
      nothingFoundMessage={t.nothingFound(typed.trim())}
      {...field}
      searchable
      openOnFocus={false}
      onSearchChange={(text) => {
        setTyped(text);
        onSearchChange?.(text);
      }}
    />
  );
}

export function SearchMultiSelect<Value extends string = string>(field: MultiSelectProps<Value>) {
  const t = useTexts(common).choice;
  const [typed, setTyped] = useState('');
  return (
    <MultiSelect
      {...field}
      searchable
      openOnFocus={false}
      onSearchChange={setTyped}
      nothingFoundMessage={t.nothingFound(typed.trim())}
    />
  );
}
