// The frame of every page of a workspace: the navigation, the current place, and the sandbox banner.
import {
  ActionIcon,
  Badge,
  Kbd,
  Menu,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Environment, SignedIn } from '@mailkeel/sdk';
import { usePathPart } from '../data/address.js';
import { PlaceProvider, usePlace } from '../data/place.js';
import { useRead } from '../data/read.js';
import { common } from '../texts/common.js';
import { LANGUAGES, useLanguage, useTexts } from '../texts/texts.js';
import { Icon } from '../ui/icon.js';
import { Initials } from '../ui/initials.js';
import { Mark } from '../ui/mark.js';
import { ErrorState, NotFound, PageLoading } from '../ui/states.js';
import { keepPlace } from './last-place.js';
import { LiveProvider, useLiveness } from './live.js';
import { isCurrent, NAVIGATION } from './navigation.js';
import { NewBuild } from './new-build.js';
import { usePageKeys, useReturnedFocus } from './page-keys.js';
import { openPalette } from './open-palette.js';
import { PlaceSwitcher } from './place-switcher.js';
import { SessionEnded } from './session-ended.js';
import { signedOut, useSession } from './session.js';

const KeysDialog = lazy(() =>
  import('./keys-dialog.js').then(({ KeysDialog: component }) => ({ default: component })),
);
const Palette = lazy(() => import('./palette.js').then(({ Palette: component }) => ({ default: component })));

/** Milliseconds between counts of waiting items. Events report changes in between. */
const COUNT_MS = 60_000;
const MOST_COUNTED = 99;

/** Redirects to sign-in, to "not found", or to the workspace and environment in the address. */
export function PlaceShell() {
  const session = useSession();
  const id = usePathPart('workspace');
  const environment = usePathPart('environment');
  if (session.isPending) return <PageLoading />;
  if (session.isError) return <ErrorState error={session.error} retry={session.refetch} />;
  if (session.data === null) return <ToSignIn />;
  const workspace = session.data.workspaces.find((one) => one.id === id);
  if (workspace === undefined || (environment !== 'live' && environment !== 'test')) return <NotFound />;
  return (
    <PlaceProvider session={session.data} workspace={workspace} environment={environment}>
      <LiveProvider>
        <Frame session={session.data} workspace={workspace.id} environment={environment} />
      </LiveProvider>
    </PlaceProvider>
  );
}

/** The address is that of the requested page, even while it is still loading. */
function ToSignIn() {
  const { pathname, searchStr } = useLocation();
  const navigate = useNavigate();
  const [next] = useState(pathname + searchStr);
  useEffect(() => {
    void navigate({ to: '/sign-in', search: { next }, replace: true });
  }, [navigate, next]);
  return <PageLoading />;
}

function Frame({
  session,
  workspace,
  environment,
}: {
  session: SignedIn;
  workspace: string;
  environment: Environment;
}) {
  const t = useTexts(common);
  const { isSandbox } = usePlace();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  useEffect(() => keepPlace(workspace, environment), [workspace, environment]);
  useEffect(close, [pathname, close]);
  useEffect(keepFocus, [pathname]);
  const [hasKeys, { open: showKeys, close: hideKeys }] = useDisclosure(false);
  useHotkeys([['mod+K', openPalette]]);
  usePageKeys({ showKeys });
  useReturnedFocus();
  return (
    <div className="mk-app" data-sandbox={isSandbox} data-nav-open={isOpen}>
      <a className="mk-skip" href="#page">
        {t.skip}
      </a>
      <header className="mk-header">
        {isSandbox ? (
          <div className="mk-band">
            <span>{t.sandboxBand}</span>
          </div>
        ) : null}
        <div className="mk-head-bar">
          <ActionIcon
            className="mk-nav-toggle"
            variant="subtle"
            color="gray"
            size="lg"
            onClick={toggle}
            aria-expanded={isOpen}
            aria-controls="navigation"
            aria-label={t.nav.toggle}
          >
            <Icon name={isOpen ? 'cross' : 'menu'} />
          </ActionIcon>
          <HomeLink />
          <PlaceSwitcher />
          <SearchButton />
          <LiveSign />
          <AccountMenu session={session} />
        </div>
      </header>
      <Sidebar />
      <main id="page" tabIndex={-1} className="mk-main">
        <div className="mk-page">
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </div>
      </main>
      <Suspense>
        <Palette />
        {hasKeys ? <KeysDialog onClose={hideKeys} /> : null}
      </Suspense>
      <SessionEnded userId={session.user.id} />
      <NewBuild />
    </div>
  );
}

/** Moves the focus to the page if the focused link disappears with the previous page. A field that requests the focus keeps it. */
function keepFocus(): void {
  const page = document.getElementById('page');
  const focused = document.activeElement;
  if (page?.contains(focused) === true && focused?.tagName === 'A') page.focus({ preventScroll: true });
}

function HomeLink() {
  const { href } = usePlace();
  return (
    <Link to={href('/')} className="mk-brand">
      <Mark size={26} />
      <span className="mk-brand-name">Mailkeel</span>
    </Link>
  );
}

function Sidebar() {
  const t = useTexts(common);
  const { href, environment, may } = usePlace();
  const { pathname } = useLocation();
  const path = pathname.slice(href('/').length);
  return (
    <nav id="navigation" className="mk-nav" aria-label={t.nav.label}>
      {NAVIGATION.map((group) => (
        <div key={group.name ?? 'first'} className="mk-nav-group">
          {group.name === null ? null : <div className="mk-nav-title">{t.nav[group.name]}</div>}
          {group.items
            .filter(
              ({ only, least }) =>
                (only ?? environment) === environment && (least === undefined || may(least)),
            )
            .map((item) => (
              <Link
                key={item.to}
                to={href(item.to)}
                activeOptions={{ exact: true }}
                className="mk-nav-link"
                aria-current={isCurrent(item, path) ? 'page' : undefined}
              >
                <Icon name={item.icon} />
                {t.nav[item.name]}
                {item.counts === undefined ? null : <PendingApprovals />}
              </Link>
            ))}
        </div>
      ))}
      <div className="mk-nav-group">
        <a className="mk-nav-link" href="/docs" target="_blank" rel="noreferrer">
          <Icon name="out" />
          {t.nav.docs}
        </a>
      </div>
    </nav>
  );
}

/** Shows the number of messages that wait for approval; nothing if there are none. */
function PendingApprovals() {
  const t = useTexts(common);
  const count = useRead(['approvals', 'count'], (api, signal) => api.approvals.count({ signal }), {
    every: COUNT_MS,
  });
  const pending = count.data?.pending ?? 0;
  if (pending === 0) return null;
  return (
    <Badge size="sm" ml="auto" aria-label={t.shell.waiting(pending)}>
      {pending > MOST_COUNTED ? `${MOST_COUNTED}+` : pending}
    </Badge>
  );
}

function SearchButton() {
  const t = useTexts(common);
  return (
    <UnstyledButton className="mk-search" onClick={openPalette} aria-keyshortcuts="Control+K">
      <Icon name="search" size={16} />
      <span className="mk-search-text">{t.shell.search}</span>
      <Kbd size="xs" className="mk-search-key" aria-hidden="true">
        Ctrl K
      </Kbd>
    </UnstyledButton>
  );
}

function LiveSign() {
  const t = useTexts(common);
  const { language } = useLanguage();
  const { state, heardAt } = useLiveness();
  const time = heardAt?.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' }) ?? null;
  const text = state === 'live' ? t.shell.liveOn : t.shell.liveOff;
  const asOf = state === 'retrying' && time !== null ? t.shell.asOf(time) : null;
  return (
    <Tooltip label={text}>
      <span className="mk-live-sign">
        <span className="mk-live" data-live={state} role="img" aria-label={text} />
        {asOf === null ? null : (
          <Text span size="xs" c="dimmed" role="status">
            {asOf}
          </Text>
        )}
      </span>
    </Tooltip>
  );
}

function AccountMenu({ session }: { session: SignedIn }) {
  const t = useTexts(common);
  const { href, api } = usePlace();
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const client = useQueryClient();
  const signOut = async () => {
    // Signs the person out even if the session has already ended.
    await api.auth.signOut().catch(() => undefined);
    signedOut(client);
  };
  const schemes = ['light', 'dark', 'auto'] as const;
  return (
    <Menu width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={t.shell.account}>
          <Initials of={session.user.name ?? session.user.email} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {session.user.name ?? session.user.email}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {session.organization.name}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to={href('/account')} leftSection={<Icon name="account" />}>
          {t.shell.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t.shell.theme}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={scheme === 'light' ? 'sun' : scheme === 'dark' ? 'moon' : 'desktop'} />}
            rightSection={colorScheme === scheme ? <Icon name="check" size={14} /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {t.shell[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t.shell.language}</Menu.Label>
        {LANGUAGES.map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            leftSection={<Icon name="globe" />}
            rightSection={language === one ? <Icon name="check" size={14} /> : null}
            onClick={() => {
              choose(one);
              // The server's sentences are in the former language.
              void client.invalidateQueries();
            }}
          >
            {one === 'en' ? 'English' : 'Deutsch'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => void signOut()}>
          {t.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
