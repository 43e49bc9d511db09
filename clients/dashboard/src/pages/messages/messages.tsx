// The list of messages, with its filters.
import { Group, Text } from '@mantine/core';
import type { BulkActionOnMessages, MessageSummary, Query } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { messages } from '../../texts/messages.js';
import { useTexts } from '../../texts/texts.js';
import { BulkButton } from '../../ui/bulk-dialog.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { MessageStatus } from '../../ui/message-status.js';
import { useStatusText } from '../../ui/status.js';

const STATUSES = [
  ...['queued', 'sending', 'sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'failed'],
  ...['suppressed', 'canceled', 'received'],
];
const TYPES = ['transactional', 'marketing', 'sales'];
const FILTERS = [
  'status',
  'q',
  'from',
  'type',
  'tag',
  'created_after',
  'created_before',
  'campaign_id',
  'sub_tenant_id',
  'sequence_id',
  'thread_id',
  'in_doubt',
];

type Search = Omit<Query<'messages.list'>, 'cursor' | 'view'>;

/** The address contains texts, and the API accepts lists of several. The API refuses invalid values with a sentence. */
function searchOf(values: Record<string, string>): Search {
  const { status, from, type, tag, in_doubt: inDoubt, ...rest } = values;
  return {
    ...rest,
    ...(status === undefined ? {} : { status: status.split(',') }),
    ...(type === undefined ? {} : { type: type.split(',') }),
    ...(from === undefined ? {} : { from: [from] }),
    ...(tag === undefined ? {} : { tag: [tag] }),
    ...(inDoubt === undefined ? {} : { in_doubt: inDoubt === 'true' }),
  } as Search;
}

export function MessagesPage() {
  const t = useTexts(messages);
  const mayAct = useRole('member');
  const word = useStatusText();
  const filters = useFilters(FILTERS);
  const search = searchOf(filters.values);
  const list = useList<MessageSummary>(
    ['messages', 'list', search],
    (api, cursor, signal) =>
      api.messages.list({ ...search, view: 'summary', limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  const choices = (values: readonly string[]) => values.map((value) => ({ value, label: word(value) }));
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.messages.list({ ...search, view: 'summary' })]}
        actions={
          mayAct ? (
            <PageButton to="/messages/new" leftSection={<Icon name="plus" size={16} />}>
              {t.newMessage}
            </PageButton>
          ) : null
        }
      />
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'q', label: t.search },
          { kind: 'choices', name: 'status', label: word('status'), choices: choices(STATUSES) },
          { kind: 'choices', name: 'type', label: t.type, choices: choices(TYPES) },
          { kind: 'text', name: 'tag', label: t.tag },
          { kind: 'range', name: 'created_after', until: 'created_before' },
        ]}
      >
        {filters.set.length === 0 ? null : (
          <BulkButton
            actions={['resend', 'cancel', 'suppress']}
            act={(api, request) =>
              // The filters of both operations are the same.
              api.bulkActions.createForMessages({ ...request, filter: search } as BulkActionOnMessages)
            }
          />
        )}
      </FilterBar>
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{
          icon: 'mail',
          title: t.emptyTitle,
          children: t.empty,
          action: mayAct ? <PageButton to="/messages/new">{t.newMessage}</PageButton> : null,
        }}
        columns={[
          {
            key: 'to',
            label: t.recipient,
            cell: (row) => (
              <PageLink to={`/messages/${row.id}`} className="mk-clip">
                {row.to}
              </PageLink>
            ),
          },
          { key: 'status', label: word('status'), cell: (row) => <MessageStatus of={row} /> },
          {
            key: 'subject',
            label: t.subject,
            cell: ({ subject, tags }) => (
              <Group gap="xs" wrap="nowrap">
                <span className="mk-clip">{subject === '' ? t.noSubject : subject}</span>
                {tags.slice(0, 2).map((tag) => (
                  <Text key={tag} size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                    #{tag}
                  </Text>
                ))}
              </Group>
            ),
          },
          {
            key: 'from',
            label: t.from,
            isWide: true,
            cell: ({ from }) => (
              <span className="mk-clip" style={{ maxWidth: '7.5rem' }}>
                {from.name ?? from.email}
              </span>
            ),
          },
          {
            key: 'at',
            label: t.created,
            align: 'right',
            cell: (row) => <Time at={row.scheduled_at ?? row.created_at} />,
          },
        ]}
      />
    </>
  );
}
