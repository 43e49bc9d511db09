// The messages by which an inbox forwarded a received message, or why it did not.
import { Stack } from '@mantine/core';
import type { ForwardedCopy } from '@mailkeel/sdk';
import { threads } from '../texts/threads.js';
import { useTexts } from '../texts/texts.js';
import { RecordLink } from './record-link.js';

export function ForwardedCopies({ of }: { of: readonly ForwardedCopy[] }) {
  const t = useTexts(threads).routes;
  return (
    <Stack gap={0}>
      {of.map(({ forward_id: id, message_id: message, not_forwarded: reason }) => (
        <span key={id}>
          {message === null ? null : <RecordLink id={message} />}
          {reason === null ? null : t.reasons[reason]}
        </span>
      ))}
    </Stack>
  );
}
