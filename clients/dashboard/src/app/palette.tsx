// Ctrl-K: pages by name, and everything of the workspace by id, address, name or subject.
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { useState } from 'react';
import type { SearchResult, SearchResultType } from '@posthorn/sdk';
import { usePlace } from '../data/place.js';
import { useRead } from '../data/read.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useGo } from '../ui/links.js';
import { NAVIGATION } from './navigation.js';
import { paletteStore } from './open-palette.js';

const WAIT_MS = 150;
const SHORTEST = 2;

const KINDS: Record<SearchResultType, { icon: IconName; to: (result: SearchResult) => string }> = {
  message: { icon: 'mail', to: ({ id }) => `/messages/${id}` },
  contact: { icon: 'contacts', to: ({ id }) => `/contacts/${id}` },
  template: { icon: 'template', to: ({ id }) => `/templates/${id}` },
  campaign: { icon: 'campaign', to: ({ id }) => `/campaigns/${id}` },
  list: { icon: 'lists', to: ({ id }) => `/lists/${id}` },
  sub_tenant: { icon: 'tenants', to: ({ id }) => `/sub-tenants/${id}` },
  sender: { icon: 'domain', to: ({ id }) => `/senders/${id}` },
  suppression: { icon: 'suppressed', to: ({ title }) => `/suppressions?q=${encodeURIComponent(title)}` },
};

export function Palette() {
  const t = useTexts(common);
  const { environment, may } = usePlace();
  const go = useGo();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), WAIT_MS);
  const found = useRead(['search', asked], (api) => api.search.find({ q: asked }), {
    isOff: asked.length < SHORTEST,
    keepsLast: true,
  });
  const wanted = text.trim().toLowerCase();
  const pages = NAVIGATION.flatMap(({ items }) => items).filter(
    ({ name, only, least }) =>
      (only ?? environment) === environment &&
      (least === undefined || may(least)) &&
      t.nav[name].toLowerCase().includes(wanted),
  );
  const isSearching = found.isFetching || asked !== text.trim();
  const results = asked.length < SHORTEST ? [] : (found.data?.data ?? []);
  return (
    <Spotlight.Root
      store={paletteStore}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      scrollable
      maxHeight={440}
    >
      <Spotlight.Search
        placeholder={t.shell.searchHint}
        aria-label={t.shell.search}
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {results.map((result) => {
          const { icon, to } = KINDS[result.type];
          return (
            <Spotlight.Action
              key={result.id}
              label={result.title}
              description={[result.detail, result.status].filter((part) => part !== null).join(' · ')}
              leftSection={<Icon name={icon} />}
              onClick={() => void go(to(result))}
            />
          );
        })}
        {pages.map(({ name, to, icon }) => (
          <Spotlight.Action
            key={to}
            label={t.nav[name]}
            leftSection={<Icon name={icon} />}
            onClick={() => void go(to)}
          />
        ))}
        {results.length + pages.length === 0 ? (
          <Spotlight.Empty>{isSearching ? t.loading : t.shell.nothingFound}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
