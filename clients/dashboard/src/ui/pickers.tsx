// Fields that choose something of the workspace by its name, found as one types.
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import type { Mailkeel } from '@mailkeel/sdk';
import { usePlace } from '../data/place.js';
import { useRead, useRefresh } from '../data/read.js';
import { useSentence } from '../data/sentences.js';
import { common, type CommonTexts } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { SearchSelect } from './search-select.js';

const TYPING_MS = 200;
const SHOWN = 50;
const SEARCHED = 100;

/** Value of the option that opens the page for creating an object. */
const MAKE = '+';

interface Making {
  name: keyof CommonTexts['choice']['make'];
  path: string;
}

const TEMPLATE: Making = { name: 'template', path: '/templates/new' };
const LIST: Making = { name: 'list', path: '/lists?new=list' };

interface Named {
  id: string;
  name: string;
}

export interface PickerProps {
  label?: string;
  'aria-label'?: string;
  description?: ReactNode;
  placeholder?: string;
  /** Id; null for none. */
  value: string | null;
  onChange: (id: string | null) => void;
  error?: ReactNode;
  required?: boolean;
  readOnly?: boolean;
  /** A filter does not offer to create an object. */
  isFilter?: boolean;
}

export function TemplatePicker(props: PickerProps) {
  return (
    <Picker
      {...props}
      noun="templates"
      make={TEMPLATE}
      list={async (api, q) => (await api.templates.list({ view: 'summary', limit: SHOWN, ...q })).data}
      get={(api, id) => api.templates.get(id)}
    />
  );
}

/** By the slug, which the workspace, a sub-tenant and both environments may each have. */
export function TemplateSlugPicker(props: PickerProps) {
  return (
    <Picker
      {...props}
      noun="template-slugs"
      make={TEMPLATE}
      list={async (api, q) => {
        const { data } = await api.templates.list({ view: 'summary', limit: SHOWN, ...q });
        return [...new Map(data.map(({ slug, name }) => [slug, { id: slug, name }])).values()];
      }}
      get={(api, slug) => api.templates.get(slug)}
    />
  );
}

export function ListPicker(props: PickerProps) {
  return (
    <Picker
      {...props}
      noun="lists"
      make={LIST}
      list={async (api, q) => (await api.lists.list({ limit: SHOWN, ...q })).data}
      get={(api, id) => api.lists.get(id)}
    />
  );
}

/** Lists that contacts join and leave, which segments are not. */
export function PlainListPicker(props: PickerProps) {
  return (
    <Picker
      {...props}
      noun="plain-lists"
      make={LIST}
      list={async (api, q) => {
        const plain: Named[] = [];
        for await (const list of api.lists.list({ limit: SEARCHED, ...q })) {
          if (list.filter === null) plain.push(list);
          if (plain.length === SHOWN) break;
        }
        return plain;
      }}
      get={(api, id) => api.lists.get(id)}
    />
  );
}

export function SubTenantPicker(props: PickerProps) {
  return (
    <Picker
      {...props}
      noun="sub-tenants"
      make={{ name: 'subTenant', path: '/sub-tenants?new=sub_tenant' }}
      list={async (api, q) => (await api.subTenants.list({ limit: SHOWN, ...q })).data}
      get={(api, id) => api.subTenants.get(id)}
    />
  );
}

function Picker({
  noun,
  make,
  isFilter = false,
  list,
  get,
  value,
  onChange,
  required = false,
  ...field
}: PickerProps & {
  noun: string;
  make: Making;
  list: (api: Mailkeel, q: { q?: string }) => Promise<readonly Named[]>;
  get: (api: Mailkeel, id: string) => PromiseLike<Named>;
}) {
  const t = useTexts(common);
  const { href, may } = usePlace();
  const sentenceOf = useSentence();
  const refresh = useRefresh();
  const [typed, setTyped] = useState('');
  const current = useRead([noun, 'named', value], (api) => get(api, value ?? ''), { isOff: value === null });
  // The field shows the name of the selection, which is not a search term.
  const wanted = typed === current.data?.name ? '' : typed.trim();
  const [q] = useDebouncedValue(wanted, TYPING_MS);
  const found = useRead([noun, 'choice', q], (api) => list(api, q === '' ? {} : { q }), { keepsLast: true });
  // Searches the previous results here until the server responds.
  const isSearching = found.isPlaceholderData || wanted !== q;
  const isShown = ({ name }: Named) => !isSearching || name.toLowerCase().includes(wanted.toLowerCase());
  const rows: readonly Named[] = (found.data ?? []).filter(isShown);
  // A step of a sequence may name its template by the slug.
  const chosen = current.data === undefined || value === null ? undefined : { ...current.data, id: value };
  const all = chosen === undefined || rows.some(({ id }) => id === chosen.id) ? rows : [chosen, ...rows];
  const options = all.map(({ id, name }) => ({ value: id, label: name }));
  // A deleted object is still the selected value.
  if (value !== null && chosen === undefined && !rows.some(({ id }) => id === value)) {
    options.unshift({ value, label: value });
  }
  const isFound = found.data !== undefined && !isSearching;
  const problem = found.error === null ? null : sentenceOf(found.error);
  const nothing = problem ?? (isFound ? t.choice.nothingFound(q) : t.loading);
  const isMaking = isFound && rows.length === 0 && !isFilter && may('member');
  const making = { group: nothing, items: [{ value: MAKE, label: t.choice.make[make.name] }] };
  return (
    <SearchSelect
      {...field}
      required={required}
      clearable={!required && field.readOnly !== true}
      clearButtonProps={{ 'aria-label': t.none }}
      onSearchChange={setTyped}
      nothingFoundMessage={nothing}
      filter={({ options: given }) =>
        given.filter((one) => ('group' in one ? true : rows.some(({ id }) => id === one.value)))
      }
      data={isMaking ? [...options, making] : options}
      value={value}
      onChange={(id) => {
        if (id !== MAKE) {
          onChange(id);
          return;
        }
        // Opens another tab, so that this form keeps its input. The new object is found when the user returns.
        window.addEventListener('focus', () => void refresh(noun), { once: true });
        window.open(href(make.path), '_blank', 'noopener');
      }}
    />
  );
}
