// The state of a destination, and its server's last reply.
import { Text } from '@mantine/core';
import type { QueueDestination, QueueReply } from '@mailkeel/sdk';
import { queue } from '../../texts/queue.js';
import { useTexts } from '../../texts/texts.js';
import { Status, type Tone } from '../../ui/status.js';

const TONES: Record<QueueDestination['state'], Tone> = {
  flowing: 'good',
  waiting: 'busy',
  deferred: 'warn',
  paused: 'warn',
  suspended: 'bad',
  limited: 'warn',
};

export function toneOfDestination(state: QueueDestination['state']): Tone {
  return TONES[state];
}

export function DestinationState({ of: { state } }: { of: QueueDestination }) {
  const t = useTexts(queue);
  return (
    <Status of={state} tone={TONES[state]}>
      {t.states[state]}
    </Status>
  );
}

/** Returns the server's reply, with the code if the text does not begin with it. */
export function Reply({ of: { code, text, host }, isShort = false }: { of: QueueReply; isShort?: boolean }) {
  const said = code === null ? text : `${code} ${text}`;
  if (isShort) {
    return (
      <span className="mk-clip mk-mono" title={said}>
        {said}
      </span>
    );
  }
  return (
    <>
      <span className="mk-mono" style={{ overflowWrap: 'anywhere' }}>
        {said}
      </span>
      {host === null ? null : (
        <Text size="xs" c="dimmed">
          {host}
        </Text>
      )}
    </>
  );
}
