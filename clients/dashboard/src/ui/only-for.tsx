// A page for a minimum role. Others see an explanation, and the API is not called.
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
