// The queue of one domain: reason, server replies and limits, with actions to retry, pause and cancel.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { MessageSummary, QueueDestination, QueueOverride, QueuePause, QueueRetry } from '@mailkeel/sdk';
import { useState } from 'react';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useList, useRead } from '../../data/read.js';
import { queue } from '../../texts/queue.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Notice } from '../../ui/notice.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { RecordLink } from '../../ui/record-link.js';
import '../../ui/rate-meter.css';
import { EmptyState, Shown } from '../../ui/states.js';
import { MessageStatus } from '../../ui/message-status.js';
import { useStatusText } from '../../ui/status.js';
import { useLimitColumns } from './limits.js';
import { PurgeButton, WAITING } from './purge.js';
import { DestinationState, Reply, toneOfDestination } from './state.js';

const LOOK_MS = 5_000;
const MOST_LIMITS = 100;
/** Allowed once a minute. A refusal is shown immediately instead of waiting. */
const NOT_AGAIN = { maxRetries: 0 };

export function DestinationPage() {
  const t = useTexts(queue);
  const domain = usePathPart('domain');
  const read = useRead(
    ['queue', 'destination', domain],
    async (api, signal) => {
      const page = await api.queue.listDestinations({ domain }, { signal });
      return page.data[0] ?? null;
    },
    { every: LOOK_MS },
  );
  const found = read.data ?? null;
  return (
    <>
      <PageHead
        title={domain}
        {...(found === null ? {} : { badge: <DestinationState of={found} /> })}
        back={{ to: '/queue', label: t.back }}
        calls={[(api) => api.queue.listDestinations({ domain }), (api) => api.queue.listOverrides()]}
        actions={<DestinationActions domain={domain} of={found} />}
      />
      <Shown of={read} lines={6}>
        {(destination) =>
          destination === null ? (
            <EmptyState icon="check" title={t.emptyTitle}>
              {t.gone}
            </EmptyState>
          ) : (
            <Found of={destination} />
          )
        }
      </Shown>
    </>
  );
}

function Found({ of: destination }: { of: QueueDestination }) {
  const t = useTexts(queue);
  const word = useStatusText();
  const { count } = useFormat();
  const { state, reason, last_reply: reply } = destination;
  return (
    <>
      <Notice tone={toneOfDestination(state)}>
        <p>
          <strong>{reason === null ? t.stateHints[state] : asSentence(reason.text)}</strong>{' '}
          {reason === null || reason.until === null ? null : (
            <>
              {t.next} <Time at={reason.until} isFull /> (<Time at={reason.until} />
              ).
            </>
          )}
        </p>
      </Notice>
      <div className="mk-split">
        <Stack>
          <Pauses of={destination} />
          <Card title={t.lastReply}>
            {reply === null ? (
              <Text c="dimmed">{t.noReply}</Text>
            ) : (
              <>
                <Reply of={reply} />
                <Text size="xs" c="dimmed">
                  <Time at={reply.at} isFull />
                </Text>
              </>
            )}
          </Card>
          <LimitsHere of={destination} />
          <WaitingMessages domain={destination.domain} />
        </Stack>
        <Card title={t.numbers}>
          <Facts
            of={[
              [t.depth, count(destination.depth)],
              [t.due, count(destination.due)],
              [t.leased, count(destination.leased)],
              [t.held, count(destination.held)],
              destination.provider === null ? null : [t.provider, word(destination.provider)],
              destination.oldest_at === null ? null : [t.oldest, <Time key="o" at={destination.oldest_at} />],
              destination.next_attempt_at === null
                ? null
                : [t.next, <Time key="n" at={destination.next_attempt_at} />],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function Pauses({ of: { domain, pauses } }: { of: QueueDestination }) {
  const t = useTexts(queue);
  if (pauses.length === 0) return null;
  return (
    <Card title={t.pauses}>
      <Stack gap="xs">
        {pauses.map((pause) => (
          <PauseLine key={pause.sub_tenant_id} domain={domain} pause={pause} />
        ))}
      </Stack>
    </Card>
  );
}

function PauseLine({ domain, pause }: { domain: string; pause: QueuePause }) {
  const t = useTexts(queue);
  const mayChange = useRole('member');
  const { sub_tenant_id: tenant, reason, created_at: since } = pause;
  // A pause must be ended in the scope in which it was set.
  const scope = tenant === null ? {} : { subTenant: tenant };
  const resume = useAction((api) => api.queue.resumeDestination(domain, scope), {
    done: t.resumed,
    changes: ['queue'],
  });
  return (
    <Group justify="space-between">
      <div>
        <Text component="div">{tenant === null ? t.pauseOfAll : <RecordLink id={tenant} />}</Text>
        <Text size="sm" c="dimmed">
          {reason} <Time at={since} isFull />
        </Text>
      </div>
      {mayChange ? (
        <Button loading={resume.isPending} onClick={() => resume.mutate()}>
          {t.resume}
        </Button>
      ) : null}
    </Group>
  );
}

/** Causes are parts of a sentence. */
function asSentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]\)?$/.test(whole) ? whole : `${whole}.`;
}

/** Whether the limit applies to a path to this destination, judged by the provider or the responding host. */
function holdsFor({ provider, site }: QueueOverride, destination: QueueDestination): boolean {
  if (provider !== null) return provider === destination.provider;
  const host = destination.last_reply?.host ?? '';
  return host === site || host.endsWith(`.${site}`) || site === destination.domain;
}

function LimitsHere({ of: destination }: { of: QueueDestination }) {
  const t = useTexts(queue);
  const columns = useLimitColumns();
  const list = useList<QueueOverride>(
    ['queue', 'overrides', 'all'],
    (api, _cursor, signal) => api.queue.listOverrides({ limit: MOST_LIMITS }, { signal }),
    { every: LOOK_MS },
  );
  const here = list.data?.rows.filter((row) => holdsFor(row, destination)) ?? [];
  return (
    <Card
      title={t.limitsHere}
      actions={
        <PageLink to="/queue" search={{ tab: 'limits' }} size="sm">
          {t.allLimits}
        </PageLink>
      }
    >
      <Shown of={list}>
        {() =>
          here.length === 0 ? (
            <Text c="dimmed">{t.limitsHereNone}</Text>
          ) : (
            <LimitTable rows={here} columns={columns} label={t.limitsHere} />
          )
        }
      </Shown>
    </Card>
  );
}

function LimitTable({
  rows,
  columns,
  label,
}: {
  rows: readonly QueueOverride[];
  columns: ReturnType<typeof useLimitColumns>;
  label: string;
}) {
  return (
    <div className="mk-table-frame" role="region" aria-label={label} tabIndex={0}>
      <table className="mk-table mk-rows">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((column) => (
                <td key={column.key} data-label={column.label}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WaitingMessages({ domain }: { domain: string }) {
  const t = useTexts(queue);
  const search = { q: `@${domain}`, status: WAITING.join(',') };
  const list = useList<MessageSummary>(['messages', 'waiting-for', domain], (api, _cursor, signal) =>
    api.messages.list({ q: search.q, status: [...WAITING], view: 'summary', limit: 10 }, { signal }),
  );
  return (
    <Card
      title={t.waitingMessages}
      actions={
        <PageLink to="/messages" search={search} size="sm">
          {t.allWaiting}
        </PageLink>
      }
    >
      <Shown of={list}>
        {({ rows }) => (
          <Stack gap="xs">
            {rows.map((row) => (
              <Group key={row.id} gap="xs">
                <PageLink to={`/messages/${row.id}`} className="mk-clip" style={{ flex: '1 1 14rem' }}>
                  {row.to}
                </PageLink>
                <MessageStatus of={row} />
                <Text size="xs" c="dimmed">
                  <Time at={row.created_at} />
                </Text>
              </Group>
            ))}
          </Stack>
        )}
      </Shown>
    </Card>
  );
}

function DestinationActions({ domain, of }: { domain: string; of: QueueDestination | null }) {
  const mayChange = useRole('member');
  const isPaused = of?.pauses.some((pause) => pause.sub_tenant_id === null) ?? false;
  if (!mayChange) return null;
  return (
    <>
      {isPaused ? null : <PauseButton domain={domain} />}
      {of === null || of.depth === 0 ? null : (
        <>
          <RetryButton domain={domain} />
          <PurgeButton domain={domain} />
        </>
      )}
    </>
  );
}

function RetryButton({ domain }: { domain: string }) {
  const t = useTexts(queue);
  const { count } = useFormat();
  const sentence = ({ retried, waiting }: QueueRetry) =>
    retried === 0 && waiting === 0 ? t.retryNone : t.retried(count(retried), count(waiting));
  const retry = useAction((api) => api.queue.retryDestination(domain, NOT_AGAIN), {
    done: sentence,
    changes: ['queue', 'messages'],
    isQuiet: true,
  });
  return (
    <ConfirmButton
      label={t.retry}
      title={t.retryTitle(domain)}
      action={t.retry}
      isDangerous={false}
      onConfirm={() => retry.mutateAsync()}
      call={(api) => api.queue.retryDestination(domain)}
    >
      {t.retryAbout}
    </ConfirmButton>
  );
}

function PauseButton({ domain }: { domain: string }) {
  const t = useTexts(queue);
  const [isOpen, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const form = useFormState(['reason']);
  const request = reason === '' ? {} : { reason };
  const pause = useAction((api) => api.queue.pauseDestination(domain, request), {
    done: t.paused,
    changes: ['queue'],
    isQuiet: true,
  });
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.pause}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={close}
        title={t.pauseTitle(domain)}
        submit={t.pause}
        form={form}
        act={() => pause.mutateAsync()}
        extra={<CallsButton calls={[(api) => api.queue.pauseDestination(domain, request)]} />}
      >
        <Text>{t.pauseAbout}</Text>
        <TextInput
          label={t.pauseReason}
          description={t.pauseReasonHint}
          value={reason}
          error={form.errors['reason']}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </FormDialog>
    </>
  );
}
