// Shared parts of the pages of imports, exports and bulk actions: tabs, progress, and canceling.
import { Group, Progress, Text } from '@mantine/core';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { useFormat } from '../../ui/format.js';
import { PageButton } from '../../ui/links.js';
import type { ApiCall } from '../../ui/calls.js';

/** Milliseconds between reads during a job, because events only report the end. */
export const PROGRESS_MS = 2_000;

export function isUnderWay(status: string): boolean {
  return status === 'queued' || status === 'running';
}

type Page = 'imports' | 'accounts' | 'exports' | 'bulk';
const PATHS: Record<Page, string> = {
  imports: '/imports',
  accounts: '/account-imports',
  exports: '/exports',
  bulk: '/bulk-actions',
};

export function TransferTabs({ current }: { current: Page }) {
  const t = useTexts(transfers).tabs;
  return (
    <nav aria-label={t.label}>
      <Group gap="xs" mb="md">
        {(['imports', 'accounts', 'exports', 'bulk'] as const).map((page) => (
          <PageButton key={page} to={PATHS[page]} size="xs" variant={page === current ? 'light' : 'subtle'}>
            {t[page]}
          </PageButton>
        ))}
      </Group>
    </nav>
  );
}

export function ProgressOf({
  status,
  processed,
  total,
  share,
}: {
  status: string;
  processed: number;
  total: number | null;
  /** From 0 to 1, if it is known before the total. */
  share?: number;
}) {
  const t = useTexts(transfers);
  const format = useFormat();
  const done = format.count(processed);
  const text = total === null ? t.rows(done) : t.of(done, format.count(total));
  if (!isUnderWay(status)) return <>{text}</>;
  const part = share ?? (total === null || total === 0 ? 0 : processed / total);
  return (
    <>
      <Progress value={Math.round(part * 100)} aria-label={`${t.progress}: ${text}`} miw={90} />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </>
  );
}

export function CancelButton({
  name,
  call,
  onConfirm,
}: {
  /** The canceled object, for the button's accessible name. */
  name: string;
  call: ApiCall;
  onConfirm: () => Promise<unknown>;
}) {
  const t = useTexts(transfers);
  return (
    <ConfirmButton
      label={t.cancel}
      title={`${t.cancel}: ${name}`}
      action={t.cancel}
      onConfirm={onConfirm}
      call={call}
    >
      {t.cancelHint}
    </ConfirmButton>
  );
}
