// A page for a role and those above it. Others see that it is not for them, and the API is not asked.
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
