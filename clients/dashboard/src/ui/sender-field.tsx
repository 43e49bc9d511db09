// A From field that suggests addresses on the workspace's verified domains.
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, type ReactNode } from 'react';
import { useRead } from '../data/read.js';
import { suggestions } from '../data/sender-suggestions.js';

const MOST_SENDERS = 50;
const TYPING_MS = 250;

export function SenderField({
  value,
  onChange,
  ...field
}: {
  label: string;
  description?: ReactNode;
  value: string;
  onChange: (address: string) => void;
  error?: ReactNode;
  readOnly?: boolean;
}) {
  const [typedDomain = ''] = useDebouncedValue(/@([^\s<>]+)/.exec(value)?.[1], TYPING_MS);
  const { data } = useRead(['senders', 'suggested', typedDomain], (api, signal) =>
    api.senders.list({ limit: MOST_SENDERS, ...(typedDomain === '' ? {} : { q: typedDomain }) }, { signal }),
  );
  const id = useId();
  return (
    <>
      <TextInput
        {...field}
        list={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {suggestions(data?.data ?? [], value).map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
    </>
  );
}
