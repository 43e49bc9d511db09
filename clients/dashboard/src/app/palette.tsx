// Ctrl-K: pages by name, and everything of the workspace by id, address, name or subject.
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SearchResult, SearchResultType } from '@mailkeel/sdk';
import { usePlace } from '../data/place.js';
import { useRead } from '../data/read.js';
import { common, type CommonTexts } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useGo } from '../ui/links.js';
import { useStatusText } from '../ui/status.js';
import { fitOf } from './fuzzy.js';
import { NAVIGATION, type NavItem } from './navigation.js';
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

interface PaletteAction extends Pick<NavItem, 'only' | 'least' | 'icon'> {
  name: keyof CommonTexts['actions'];
  run: () => void;
}

/** Actions that are available on every page. */
function useActions(): PaletteAction[] {
  const go = useGo();
  const { isSandbox, workspace } = usePlace();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme() === 'dark';
  const to =
    (path: string, search: Record<string, string> = {}) =>
    () =>
      void go({ to: path, search });
  const environment = isSandbox ? 'live' : 'test';
  return [
    { name: 'sendMessage', icon: 'send', least: 'member', run: to('/messages/new') },
    { name: 'newTemplate', icon: 'template', least: 'member', run: to('/templates/new') },
    { name: 'newCampaign', icon: 'campaign', least: 'member', run: to('/campaigns/new') },
    { name: 'newSequence', icon: 'sequence', least: 'member', run: to('/sequences/new') },
    { name: 'newList', icon: 'lists', least: 'member', run: to('/lists', { new: 'list' }) },
    { name: 'importContacts', icon: 'import', least: 'member', run: to('/imports/new') },
    { name: 'account', icon: 'account', run: to('/account') },
    { name: 'alerts', icon: 'warning', run: to('/account/alerts') },
    {
      name: isSandbox ? 'toLive' : 'toSandbox',
      icon: isSandbox ? 'mail' : 'sandbox',
      run: () => void navigate({ to: `/${workspace.id}/${environment}` }),
    },
    {
      name: isDark ? 'light' : 'dark',
      icon: isDark ? 'sun' : 'moon',
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
  ];
}

export function Palette() {
  const t = useTexts(common);
  const { environment, may } = usePlace();
  const go = useGo();
  const word = useStatusText();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), WAIT_MS);
  const found = useRead(['search', asked], (api) => api.search.find({ q: asked }), {
    isOff: asked.length < SHORTEST,
    keepsLast: true,
  });
  const isAllowed = ({ only, least }: Pick<NavItem, 'only' | 'least'>) =>
    (only ?? environment) === environment && (least === undefined || may(least));
  const pages = NAVIGATION.flatMap(({ items }) => items)
    .filter(isAllowed)
    .map(({ name, to, icon }) => ({ label: t.nav[name], icon, run: () => void go(to) }));
  const actions = useActions()
    .filter(isAllowed)
    .map(({ name, icon, run }) => ({ label: t.actions[name], icon, run }));
  const entries = [...actions, ...pages]
    .flatMap((entry) => {
      const fit = fitOf(entry.label, text);
      return fit === null ? [] : [{ ...entry, fit }];
    })
    .sort((one, other) => one.fit - other.fit);
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
              description={[result.detail, result.status === null ? null : word(result.status)]
                .filter((part) => part !== null)
                .join(' · ')}
              leftSection={<Icon name={icon} />}
              onClick={() => void go(to(result))}
            />
          );
        })}
        {entries.map(({ label, icon, run }) => (
          <Spotlight.Action key={label} label={label} leftSection={<Icon name={icon} />} onClick={run} />
        ))}
        {results.length + entries.length === 0 ? (
          <Spotlight.Empty>{isSearching ? t.loading : t.choice.nothingFound(text.trim())}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
