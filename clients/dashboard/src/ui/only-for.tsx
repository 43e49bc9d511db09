// A page that a role must reach to see; others are told so, and nothing is asked of the API.
import type { ReactNode } from 'react';
import { useRole } from '../data/place.js';
import { onlyFor } from '../texts/only-for.js';
import { useTexts } from '../texts/texts.js';
import { PageHead } from './page.js';
import { EmptyState } from './states.js';

export function OnlyFor({
  role,
  title,
  children,
}: {
  role: 'member' | 'admin';
  /** Of the page. */
  title: string;
  children: ReactNode;
}) {
  const t = useTexts(onlyFor);
  const maySee = useRole(role);
  if (maySee) return children;
  return (
    <>
      <PageHead title={title} />
      <EmptyState icon="lock" title={t.title}>
        {t[role]}
      </EmptyState>
    </>
  );
}
