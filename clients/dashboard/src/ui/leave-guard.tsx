// Asks for confirmation before leaving a page with unsaved changes.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { common } from '../texts/common.js';
import { editing } from '../texts/editing.js';
import { useTexts } from '../texts/texts.js';
import { CallsButton, type ApiCall } from './calls.js';
import { Dialog } from './dialog.js';

/** Switching tabs of the same page is not leaving, because they keep their state. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const t = useTexts(editing);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog onClose={blocker.reset} title={t.leaveTitle} size="md">
      <Stack>
        <Text>{t.leave}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={blocker.proceed}>
            {t.discardAndLeave}
          </Button>
          <Button onClick={blocker.reset} data-autofocus>
            {t.stay}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Shown at the bottom of a form with unsaved changes. */
export function SaveBar({
  isShown,
  isBusy,
  label,
  call,
  onSave,
  onDiscard,
}: {
  isShown: boolean;
  isBusy: boolean;
  /** Label of the button; "Save" by default. */
  label?: string;
  call: ApiCall;
  onSave: () => void;
  onDiscard: () => void;
}) {
  const t = useTexts(editing);
  const frame = useTexts(common);
  if (!isShown) return null;
  return (
    <div className="mk-bulk" role="region" aria-label={t.unsaved}>
      <Text fw={550} style={{ flex: 1 }}>
        {t.unsaved}
      </Text>
      <CallsButton calls={[call]} />
      <Button variant="default" onClick={onDiscard}>
        {t.discard}
      </Button>
      <Button loading={isBusy} onClick={onSave}>
        {label ?? frame.save}
      </Button>
    </div>
  );
}
