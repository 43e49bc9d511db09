// Placeholders of a page: loading, empty, failed, not found.
import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { ApiError, NotFoundError } from '@mailkeel/sdk';
import type { ReactNode } from 'react';
import { isOffline } from '../data/sentences.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Icon, type IconName } from './icon.js';

export function PageLoading() {
  return (
    <Stack p="xl" aria-busy="true" data-loading>
      <Skeleton height={28} width={220} />
      <Skeleton height={16} width="60%" />
      <Skeleton height={180} />
    </Stack>
  );
}

/** The height of the content, so that the page does not jump. */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <Stack gap="sm" aria-busy="true" data-loading>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={18} width={`${90 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

export interface EmptyStateProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  /** The suggested action. */
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="mk-empty">
      <span className="mk-empty-stamp">
        <Icon name={icon} size={28} />
      </span>
      <Title order={2}>{title}</Title>
      {children === undefined ? null : (
        <Text c="dimmed" maw={460}>
          {children}
        </Text>
      )}
      {action}
    </div>
  );
}

/** Shows the server's error message, and an action to continue. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const t = useTexts(common);
  if (error instanceof NotFoundError) return <NotFound />;
  const sentence = error instanceof ApiError ? error.sentence : t.failure.unexpected;
  return (
    <div className="mk-empty" role="alert">
      <span className="mk-empty-stamp mk-bad">
        <Icon name="warning" size={28} />
      </span>
      <Title order={2}>{isOffline(error) ? t.failure.offline : t.failure.title}</Title>
      <Text c="dimmed" maw={520}>
        {isOffline(error) ? t.failure.offlineHint : sentence}
      </Text>
      {error instanceof ApiError && error.requestId !== null ? (
        <Text size="xs" c="dimmed">
          {t.failure.request} <code>{error.requestId}</code>
        </Text>
      ) : null}
      {retry === undefined ? null : (
        <Button variant="default" onClick={() => void retry()}>
          {t.again}
        </Button>
      )}
    </div>
  );
}

export function NotFound() {
  const t = useTexts(common);
  return (
    <EmptyState icon="search" title={t.notFound.title}>
      {t.notFound.hint}
    </EmptyState>
  );
}

/** Shows the loaded data, or why it cannot be shown. */
export function Shown<T>({
  of,
  lines,
  children,
}: {
  of: { data: T | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (of.data !== undefined) return children(of.data);
  if (of.isPending) return <Loading {...(lines === undefined ? {} : { lines })} />;
  return <ErrorState error={of.error} retry={of.refetch} />;
}
