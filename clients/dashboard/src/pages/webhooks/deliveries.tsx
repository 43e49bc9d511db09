// The deliveries of an endpoint, and one of them with the exact bytes of every attempt.
import { Accordion, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Query, WebhookAttempt, WebhookDelivery } from '@mailkeel/sdk';
import { useSearchTexts } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { events as eventTexts } from '../../texts/events.js';
import { useTexts } from '../../texts/texts.js';
import { webhooks } from '../../texts/webhooks.js';
import { CallsButton } from '../../ui/calls.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { DataTable } from '../../ui/data-table.js';
import { SideDialog } from '../../ui/dialog.js';
import { FilterBar, useFilters, useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Facts } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';
import { WEBHOOK_EVENTS } from './event-sets.js';
import { answerOf } from './failing-events.js';

const FILTERS = ['status', 'event', 'message_id', 'since', 'until'];
/** No event reports a new delivery. */
const READ_AGAIN_MS = 5_000;

type Search = Omit<Query<'webhookEndpoints.listDeliveries'>, 'cursor'>;

export function EndpointDeliveries({ id }: { id: string }) {
  const t = useTexts(webhooks);
  const { names } = useTexts(eventTexts);
  const frame = useTexts(common);
  const word = useStatusText();
  const format = useFormat();
  const filters = useFilters(FILTERS);
  const address = useSearchTexts();
  const [open, setOpen] = useSearchValue('delivery', '');
  // Wrong values of the address are refused by the server, with a sentence.
  const search = filters.values as Search;
  const list = useList<WebhookDelivery>(
    ['deliveries', id, 'list', search],
    (api, cursor, signal) =>
      api.webhookEndpoints.listDeliveries(
        id,
        { ...search, limit: 25, ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    { cursor: filters.cursor, every: READ_AGAIN_MS },
  );
  const shown = list.data?.rows.find((row) => row.id === open);
  return (
    <>
      <FilterBar
        of={filters}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: frame.status,
            choices: ['pending', 'succeeded', 'failed'].map((value) => ({ value, label: word(value) })),
          },
          {
            kind: 'choice',
            name: 'event',
            label: t.event,
            choices: WEBHOOK_EVENTS.map((value) => ({ value, label: names[value] })),
          },
          { kind: 'text', name: 'message_id', label: t.message },
          { kind: 'range', name: 'since', until: 'until' },
        ]}
      />
      <DataTable
        label={t.tabs.deliveries}
        list={list}
        rowKey={(row) => row.id}
        filters={filters.set}
        empty={{ icon: 'webhook', title: t.noneTitle, children: t.none }}
        columns={[
          {
            key: 'event',
            label: t.event,
            cell: (row) => (
              <PageLink to={`/webhooks/${id}`} search={{ ...address, delivery: row.id }} className="mk-clip">
                {names[row.event]}
              </PageLink>
            ),
          },
          { key: 'status', label: frame.status, cell: ({ status }) => <Status of={status} /> },
          {
            key: 'answer',
            label: t.answer,
            cell: (row) => <span className="mk-clip">{answerOf(row) ?? '–'}</span>,
          },
          {
            key: 'attempts',
            label: t.attempts,
            align: 'right',
            isWide: true,
            cell: (row) => format.count(row.attempts.length),
          },
          { key: 'at', label: t.at, align: 'right', cell: (row) => <Time at={row.created_at} /> },
        ]}
      />
      <SideDialog isOpen={shown !== undefined} onClose={() => setOpen('')} size="xl" title={t.delivery}>
        {shown === undefined ? null : <OneDelivery delivery={shown} />}
      </SideDialog>
    </>
  );
}

function OneDelivery({ delivery }: { delivery: WebhookDelivery }) {
  const t = useTexts(webhooks);
  const { names } = useTexts(eventTexts);
  const frame = useTexts(common);
  const mayAct = useRole('member');
  const { id, endpoint_id: endpoint, payload, attempts } = delivery;
  const record = payload.data.id;
  const replay = useAction((api) => api.webhookEndpoints.replayDelivery(endpoint, id), {
    done: t.replayedOne,
    changes: ['deliveries'],
  });
  const [open, setOpen] = useState<string | null>(String(attempts.at(-1)?.number ?? ''));
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={600}>{names[delivery.event]}</Text>
          <Status of={delivery.status} />
        </Group>
        <Group gap="xs">
          {mayAct ? (
            <Button size="xs" loading={replay.isPending} onClick={() => replay.mutate()}>
              {t.replayOne}
            </Button>
          ) : null}
          <CallsButton calls={[(api) => api.webhookEndpoints.replayDelivery(endpoint, id)]} />
        </Group>
      </Group>
      <Facts
        of={[
          [t.id, <Copyable key="id" value={id} />],
          [t.at, <Time key="at" at={delivery.created_at} isFull />],
          [
            t.record,
            record.startsWith('msg_') ? (
              <PageLink key="record" to={`/messages/${record}`}>
                {record}
              </PageLink>
            ) : (
              <Copyable key="record" value={record} />
            ),
          ],
          delivery.replay_of === null ? null : [t.replayOf, <Copyable key="of" value={delivery.replay_of} />],
          delivery.next_attempt_at === null
            ? null
            : [t.next, <Time key="next" at={delivery.next_attempt_at} />],
        ]}
      />
      <Text size="sm" c="dimmed">
        {t.requestBody}
      </Text>
      <CodeBlock code={delivery.request_body} wraps label={t.requestBody} />
      {attempts.length === 0 ? (
        <Text c="dimmed">{t.notTried}</Text>
      ) : (
        <Accordion variant="separated" order={3} value={open} onChange={setOpen}>
          {attempts.map((attempt) => (
            <Accordion.Item key={attempt.number} value={String(attempt.number)}>
              <Accordion.Control>
                <Group gap="sm">
                  <Text fw={550}>{t.attempt(attempt.number)}</Text>
                  <Text>{attempt.response_status ?? t.noAnswer}</Text>
                  <Text c="dimmed" size="sm">
                    <Time at={attempt.at} />
                  </Text>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <Attempt attempt={attempt} none={frame.none} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Stack>
  );
}

function headerLines(headers: object | null): string | null {
  if (headers === null) return null;
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
}

function Attempt({ attempt, none }: { attempt: WebhookAttempt; none: string }) {
  const t = useTexts(webhooks);
  const format = useFormat();
  const blocks = [
    [t.requestHeaders, headerLines(attempt.request_headers)],
    [t.requestBody, attempt.request_body],
    [t.responseHeaders, headerLines(attempt.response_headers)],
    [t.responseBody, attempt.response_body],
  ] as const;
  return (
    <Stack gap="sm">
      <Facts
        of={[
          attempt.url === null ? null : [t.url, attempt.url],
          [t.took, format.duration(attempt.duration_ms)],
          [t.answer, attempt.response_status ?? t.noAnswer],
          attempt.error === null ? null : [t.error, attempt.error],
        ]}
      />
      {blocks.map(([title, code]) =>
        code === null ? null : (
          <div key={title}>
            <Text size="sm" c="dimmed" mb={4}>
              {title}
            </Text>
            {code === '' ? (
              <Text size="sm">{none}</Text>
            ) : (
              <CodeBlock code={code} wraps label={`${title}, ${t.attempt(attempt.number)}`} />
            )}
          </div>
        ),
      )}
    </Stack>
  );
}
