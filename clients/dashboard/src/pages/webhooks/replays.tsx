// The replays of an endpoint and how far each is.
import type { WebhookReplay } from '@mailkeel/sdk';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { webhooks } from '../../texts/webhooks.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Status } from '../../ui/status.js';

const READ_AGAIN_MS = 3_000;

export function Replays({ id }: { id: string }) {
  const t = useTexts(webhooks);
  const frame = useTexts(common);
  const format = useFormat();
  const { cursor } = useFilters([]);
  const list = useList<WebhookReplay>(
    ['webhook-endpoints', id, 'replays'],
    (api, from, signal) => api.webhookEndpoints.listReplays(id, from ? { cursor: from } : {}, { signal }),
    { cursor, every: READ_AGAIN_MS },
  );
  return (
    <DataTable
      label={t.tabs.replays}
      list={list}
      rowKey={(row) => row.id}
      empty={{ icon: 'retry', title: t.replaysNone, children: t.replaysNoneHint }}
      columns={[
        {
          key: 'period',
          label: t.period,
          cell: ({ since, until }) => (
            <>
              {format.time(since)} – {format.time(until)}
            </>
          ),
        },
        { key: 'status', label: frame.status, cell: ({ state }) => <Status of={state} /> },
        {
          key: 'which',
          label: t.which,
          isWide: true,
          cell: ({ status }) =>
            status === null ? t.whichAll : status === 'failed' ? t.whichFailed : t.whichSucceeded,
        },
        { key: 'made', label: t.made, align: 'right', cell: (row) => format.count(row.deliveries) },
        {
          key: 'finished',
          label: t.finished,
          align: 'right',
          cell: (row) => (row.finished_at === null ? '–' : <Time at={row.finished_at} />),
        },
      ]}
    />
  );
}
