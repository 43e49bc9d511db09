// The page that lists webhook endpoints with their health.
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpoint } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { events as eventTexts } from '../../texts/events.js';
import { useTexts } from '../../texts/texts.js';
import { webhooks } from '../../texts/webhooks.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, useNewFromLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status } from '../../ui/status.js';
import { NewEndpoint } from './endpoint-dialogs.js';
import { isDefaultSet } from './event-sets.js';

/** Number of latest deliveries that determine the health of an endpoint. */
const LATEST = 20;

export function WebhooksPage() {
  const t = useTexts(webhooks);
  const { names } = useTexts(eventTexts);
  const frame = useTexts(common);
  const format = useFormat();
  const mayAct = useRole('member');
  const { cursor } = useFilters([]);
  const [isNew, setNew] = useState(false);
  useNewFromLink(() => setNew(mayAct));
  const list = useList<WebhookEndpoint>(
    ['webhook-endpoints', 'list'],
    (api, from, signal) =>
      api.webhookEndpoints.list({ limit: 50, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor },
  );
  const add = mayAct ? (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setNew(true)}>
      {t.create}
    </Button>
  ) : null;
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.webhookEndpoints.list()]}
        actions={add}
      />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'webhook', title: t.emptyTitle, children: t.empty, action: add }}
        columns={[
          {
            key: 'endpoint',
            label: t.endpoint,
            cell: ({ id, url, description }) => (
              <>
                <PageLink to={`/webhooks/${id}`} className="mk-clip">
                  {description ?? url}
                </PageLink>
                {description === null ? null : (
                  <Text size="xs" c="dimmed" className="mk-clip">
                    {url}
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'status',
            label: frame.status,
            cell: ({ status, disabled_reason: reason, consecutive_failures: failures }) => (
              <>
                <Status of={status} />
                {reason === null && failures > 0 ? (
                  <Text size="xs" c="dimmed" mt={2}>
                    {t.failures(format.count(failures))}
                  </Text>
                ) : null}
              </>
            ),
          },
          { key: 'recent', label: t.recent, cell: ({ id }) => <Latest id={id} /> },
          {
            key: 'events',
            label: t.events,
            isWide: true,
            cell: ({ events }) =>
              isDefaultSet(events)
                ? t.allDefault
                : events.length === 1
                  ? events.map((name) => names[name])
                  : t.eventCount(format.count(events.length)),
          },
          {
            key: 'format',
            label: t.format,
            isWide: true,
            cell: (row) => <span className="mk-clip">{t.formats[row.format]}</span>,
          },
          {
            key: 'at',
            label: frame.created,
            align: 'right',
            isWide: true,
            cell: (row) => <Time at={row.created_at} />,
          },
        ]}
      />
      {isNew ? <NewEndpoint onClose={() => setNew(false)} /> : null}
    </>
  );
}

/** How many of the latest deliveries arrived, and how many wait. */
function Latest({ id }: { id: string }) {
  const t = useTexts(webhooks);
  const format = useFormat();
  const { data } = useRead(['deliveries', id, 'latest'], (api, signal) =>
    api.webhookEndpoints.listDeliveries(id, { limit: LATEST }, { signal }),
  );
  if (data === undefined) return null;
  const of = (status: string) => data.data.filter((one) => one.status === status).length;
  const over = of('succeeded') + of('failed');
  const waiting = of('pending');
  if (over + waiting === 0) return <Text c="dimmed">{t.recentNone}</Text>;
  return (
    <Group gap={6}>
      {over === 0 ? null : <span>{t.recentOf(format.count(of('succeeded')), format.count(over))}</span>}
      {waiting === 0 ? null : (
        <Text size="xs" c="dimmed">
          {t.waiting(format.count(waiting))}
        </Text>
      )}
    </Group>
  );
}
