// A From field that suggests addresses on the workspace's verified domains.
import { Autocomplete } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../data/read.js';
import { suggestions } from '../data/sender-suggestions.js';

const MOST_SENDERS = 50;

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
  const { data } = useRead(['senders', 'suggested'], (api, signal) =>
    api.senders.list({ limit: MOST_SENDERS }, { signal }),
  );
  return (
    <Autocomplete
      {...field}
      value={value}
      data={suggestions(data?.data ?? [], value)}
      filter={({ options }) => options}
      onChange={onChange}
    />
  );
}
