// The replica of the embedded database; nothing without one.
import { Text } from '@mantine/core';
import type { Replica } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { health, type HealthTexts } from '../../texts/health.js';
import { useTexts } from '../../texts/texts.js';
import { Time, useFormat } from '../../ui/format.js';
import { Card, Facts } from '../../ui/page.js';
import { Status, type Tone } from '../../ui/status.js';

const LOOK_MS = 10_000;
/** The same state as in the host check. */
const LATE_SECONDS = 60;

/** Only requested for the operator, because others may not read it. */
export function ReplicaCard() {
  const t = useTexts(health);
  const { data } = useRead(['replica'], (api, signal) => api.health.getReplica({ signal }), {
    every: LOOK_MS,
  });
  if (data === undefined || data.status === 'off') return null;
  return (
    <Card title={t.replica}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.replicaAbout}
      </Text>
      <ReplicaFacts of={data} />
    </Card>
  );
}

function ReplicaFacts({ of: replica }: { of: Replica }) {
  const t = useTexts(health);
  const { bytes, duration } = useFormat();
  const { fact } = t.replicaTexts;
  const { unreachable, lag_seconds: lag, full_copy_at: copiedAt, full_copy_bytes: copyBytes } = replica;
  const [tone, word] = stateOf(replica, t);
  return (
    <Facts
      of={[
        [
          fact.status,
          <>
            <Status of={replica.status} tone={tone}>
              {word}
            </Status>
            {unreachable === null ? null : (
              <Text size="sm">
                {unreachable.reason} (<Time at={unreachable.since} />)
              </Text>
            )}
          </>,
        ],
        [
          fact.storage,
          <span key="storage" className="mk-mono">
            {replica.storage}
          </span>,
        ],
        [fact.lag, lag === 0 ? t.replicaTexts.noLag : duration(lag * 1000)],
        [
          fact.lastStored,
          replica.last_stored_at === null ? t.replicaTexts.none : <Time at={replica.last_stored_at} />,
        ],
        [fact.waiting, bytes(replica.waiting_bytes)],
        [fact.stored, bytes(replica.stored_bytes)],
        [
          fact.fullCopy,
          copiedAt === null ? (
            t.replicaTexts.none
          ) : (
            <>
              <Time at={copiedAt} />
              {copyBytes === null ? null : ` (${bytes(copyBytes)})`}
            </>
          ),
        ],
        [fact.waits, replica.waits ? t.replicaTexts.yes : t.replicaTexts.no],
      ]}
    />
  );
}

function stateOf({ status, unreachable, lag_seconds: lag }: Replica, t: HealthTexts): [Tone, string] {
  const { state } = t.replicaTexts;
  if (status === 'fenced') return ['bad', state.fenced];
  if (unreachable !== null) return ['bad', state.unreachable];
  if (status !== 'replicating') return ['warn', state[status]];
  return lag > LATE_SECONDS ? ['warn', state.behind] : ['good', state.replicating];
}
