// Links to pages of the current workspace and environment. They are real links, so they can be opened in another tab or shared.
import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import type { Environment } from '@mailkeel/sdk';
import { useSearchTexts } from '../data/address.js';
import { usePlace } from '../data/place.js';

export interface PageAddress {
  /** Path below the place, such as `/messages/msg_…`. */
  to: string;
  search?: Record<string, string | undefined>;
}

/** Without unset parameters. */
function given(search: Record<string, string | undefined> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  );
}

/** The dashboard's pages are not registered with the router as types, because checking forty of them takes seconds each time. */
function looseSearch(search: Record<string, string | undefined> | undefined): never {
  return given(search) as never;
}

export function PageLink({
  to,
  search,
  environment,
  children,
  ...rest
}: PageAddress &
  AnchorProps & {
    environment?: Environment;
    children: ReactNode;
    'aria-label'?: string;
    /** Called before the page opens, for example to close a dialog. */
    onClick?: () => void;
  }) {
  const { href } = usePlace();
  return (
    <Anchor component={Link} to={href(to, environment)} search={looseSearch(search)} {...rest}>
      {children}
    </Anchor>
  );
}

export function PageButton({
  to,
  search,
  children,
  ...rest
}: PageAddress & ButtonProps & { children: ReactNode }) {
  const { href } = usePlace();
  return (
    <Button component={Link} to={href(to)} search={looseSearch(search)} {...rest}>
      {children}
    </Button>
  );
}

/** Navigates to a page of the current place, for example after something was created. */
export function useGo(): (address: PageAddress | string) => Promise<void> {
  const navigate = useNavigate();
  const { href } = usePlace();
  return async (address) => {
    const { to, search } = typeof address === 'string' ? { to: address, search: {} } : address;
    await navigate({ to: href(to), search: given(search) });
  };
}

/** Opens a dialog of the page for links such as `/lists?new=list`, and removes `new` from the address. */
export function useNewFromLink(open: ((kind: string) => void) | null): void {
  const search = useSearchTexts();
  const navigate = useNavigate();
  const kind = open === null ? undefined : search['new'];
  const take = useEffectEvent((wanted: string) => {
    open?.(wanted);
    void navigate({ to: '.', search: { ...search, new: undefined }, replace: true });
  });
  useEffect(() => {
    if (kind !== undefined) take(kind);
  }, [kind]);
}
