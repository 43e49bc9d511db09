// The members of a list with filters, and the tags that they carry.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ListMember, ListTag, MailingList, Query } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { Confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Status, useStatusText } from '../../ui/status.js';
import { CONTACT_STATUSES } from '../contacts/contact-statuses.js';

const FILTERS = ['q', 'status', 'tag', 'list_state'];

type Search = Omit<Query<'lists.listContacts'>, 'cursor'>;

/** Wrong values of the address are refused by the server, with a sentence. */
function searchOf({ status, ...rest }: Record<string, string>): Search {
  return { ...rest, ...(status === undefined ? {} : { status: status.split(',') }) } as Search;
}

export function Members({ list }: { list: MailingList }) {
  const t = useTexts(lists);
  const word = useStatusText();
  const mayAct = useRole('member');
  const filters = useFilters(FILTERS);
  const search = searchOf(filters.values);
  const [leaving, setLeaving] = useState<ListMember | null>(null);
  const isSegment = list.filter !== null;
  const members = useList<ListMember>(
    ['lists', list.id, 'members', search],
    (api, cursor, signal) =>
      api.lists.listContacts(list.id, { ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  const columns: Column<ListMember>[] = [
    {
      key: 'email',
      label: t.memberEmail,
      cell: ({ id, email, name }) => (
        <>
          <PageLink to={`/contacts/${id}`} className="mk-clip">
            {email}
          </PageLink>
          <Text size="xs" c="dimmed" className="mk-clip">
            {name}
          </Text>
        </>
      ),
    },
    { key: 'status', label: word('status'), cell: ({ status }) => <Status of={status} /> },
  ];
  if (!isSegment) {
    columns.push(
      { key: 'state', label: t.state, isWide: true, cell: (row) => <Status of={row.list_state} /> },
      {
        key: 'joined',
        label: t.joined,
        isWide: true,
        align: 'right',
        cell: (row) => <Time at={row.joined_at} />,
      },
    );
    if (mayAct) {
      columns.push({
        key: 'off',
        label: t.takeOff,
        align: 'right',
        cell: (row) => (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${t.takeOff}: ${row.email}`}
            onClick={() => setLeaving(row)}
          >
            {t.takeOff}
          </Button>
        ),
      });
    }
  }
  return (
    <>
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'q', label: t.memberSearch },
          {
            kind: 'choices',
            name: 'status',
            label: word('status'),
            choices: CONTACT_STATUSES.map((value) => ({ value, label: word(value) })),
          },
          { kind: 'text', name: 'tag', label: t.tag },
          ...(isSegment
            ? []
            : [
                {
                  kind: 'choice' as const,
                  name: 'list_state',
                  label: t.state,
                  choices: ['subscribed', 'pending'].map((value) => ({ value, label: word(value) })),
                },
              ]),
        ]}
      />
      <DataTable
        label={t.members}
        list={members}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{
          icon: 'contacts',
          title: isSegment ? t.segmentNone : t.membersNone,
          children: isSegment ? t.segmentNoneHint : t.membersNoneHint,
        }}
        columns={columns}
      />
      {leaving === null ? null : <TakeOff list={list} member={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

function TakeOff({ list, member, onClose }: { list: MailingList; member: ListMember; onClose: () => void }) {
  const t = useTexts(lists);
  const remove = useAction((api) => api.lists.removeContact(list.id, member.id), {
    done: t.takenOff,
    changes: ['lists', 'contacts'],
    isQuiet: true,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.takeOffTitle}
      action={t.takeOff}
      onConfirm={() => remove.mutateAsync()}
      call={(api) => api.lists.removeContact(list.id, member.id)}
    >
      {t.takeOffHint(member.email)}
    </Confirm>
  );
}

export function ListTags({ id }: { id: string }) {
  const t = useTexts(lists);
  const format = useFormat();
  const { cursor } = useFilters([]);
  const tags = useList<ListTag>(
    ['lists', id, 'tags'],
    (api, _cursor, signal) => api.lists.listTags(id, { signal }),
    {
      cursor,
    },
  );
  return (
    <>
      <Text c="dimmed" mb="sm">
        {t.tagsHint}
      </Text>
      <DataTable
        label={t.tabs.tags}
        list={tags}
        rowKey={({ tag }) => tag}
        empty={{ icon: 'lists', title: t.tagsNone, children: t.tagsNoneHint }}
        columns={[
          {
            key: 'tag',
            label: t.tag,
            cell: ({ tag }) => (
              <PageLink to={`/lists/${id}`} search={{ tag }} className="mk-clip">
                {tag}
              </PageLink>
            ),
          },
          { key: 'count', label: t.tagCount, align: 'right', cell: (row) => format.count(row.contacts) },
        ]}
      />
    </>
  );
}
