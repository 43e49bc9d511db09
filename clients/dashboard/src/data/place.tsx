// Who is signed in, and the workspace and environment that the address of the page names.
import { createContext, use, useMemo, type ReactNode } from 'react';
import type { Environment, Mailkeel, SignedIn } from '@mailkeel/sdk';
import { clientFor } from './client.js';

export interface Place {
  session: SignedIn;
  workspace: SignedIn['workspaces'][number];
  environment: Environment;
  isSandbox: boolean;
  api: Mailkeel;
  /** The address of a page of this place, or of its other environment: `/messages` becomes `/ws_…/test/messages`. */
  href: (path: string, environment?: Environment) => string;
  /** Whether the person's role in this workspace's organization is at least that. */
  may: (least: Role) => boolean;
}

const RANKS = ['viewer', 'member', 'admin', 'owner'] as const;
type Role = (typeof RANKS)[number];

const PlaceContext = createContext<Place | null>(null);

export function PlaceProvider({
  session,
  workspace,
  environment,
  children,
}: {
  session: SignedIn;
  workspace: SignedIn['workspaces'][number];
  environment: Environment;
  children: ReactNode;
}) {
  const place = useMemo(
    () => ({
      session,
      workspace,
      environment,
      isSandbox: environment === 'test',
      api: clientFor({
        csrfToken: session.csrf_token,
        userId: session.user.id,
        workspace: workspace.id,
        environment,
      }),
      href: (path: string, into = environment) => `/${workspace.id}/${into}${path === '/' ? '' : path}`,
      may: (least: Role) => RANKS.indexOf(workspace.role) >= RANKS.indexOf(least),
    }),
    [session, workspace, environment],
  );
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

export function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === null) throw new Error('usePlace is called outside of a place.');
  return place;
}

/** Buttons that a role may not use are not shown; the server refuses them anyway. */
export function useRole(least: 'member' | 'admin' | 'owner'): boolean {
  return usePlace().may(least);
}
