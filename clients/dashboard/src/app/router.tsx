// Maps addresses to pages: /sign-in, and all others below a workspace and an environment.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router';
import { ErrorState, NotFound, PageLoading } from '../ui/states.js';
import { hasFirstKeys } from '../data/first-keys.js';
import { loadChunk } from './load-chunk.js';
import { firstPath } from './last-place.js';
import { pagesOf } from './pages.js';
import { useSession } from './session.js';
import { SignIn } from './sign-in.js';

function Start() {
  const session = useSession();
  if (session.isPending) return <PageLoading />;
  if (session.isError) return <ErrorState error={session.error} retry={session.refetch} />;
  if (session.data === null) return <Navigate to="/sign-in" replace />;
  const path = firstPath(session.data);
  if (path === null) return <Navigate to="/sign-in" replace />;
  return <Navigate to={hasFirstKeys() ? `${path}/get-started` : path} replace />;
}

/** Keeps texts unchanged, because TanStack's parser would read `1` as a number and quote it. */
function searchOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function textOf(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '');
  const text = new URLSearchParams(given as [string, string][]).toString();
  return text === '' ? '' : `?${text}`;
}

const loadShell = () => loadChunk(() => import('./shell.js'));

export function createPages() {
  // Loaded while the session is asked for.
  void loadShell();
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
  const start = createRoute({ getParentRoute: () => root, path: '/', component: Start });
  const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignIn });
  const place = createRoute({
    getParentRoute: () => root,
    path: '/$workspace/$environment',
    component: lazyRouteComponent(loadShell, 'PlaceShell'),
    notFoundComponent: NotFound,
  });
  return createRouter({
    routeTree: root.addChildren([start, signIn, place.addChildren(pagesOf(place))]),
    parseSearch: (text) => searchOf(text),
    stringifySearch: textOf,
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
    defaultPendingComponent: PageLoading,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}
