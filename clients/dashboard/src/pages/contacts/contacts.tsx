// The list of contacts, with its filters.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BulkActionContactFilter, Contact, ContactStatus, ListMember, Query } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction, useList, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { contacts } from '../../texts/contacts.js';
import { useTexts } from '../../texts/texts.js';
import { BulkButton } from '../../ui/bulk-dialog.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink, useGo } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';
import { Tags } from '../../ui/tags.js';
import { NewContact } from './contact-dialogs.js';
import { CONTACT_STATUSES } from './contact-statuses.js';

const FILTERS = ['q', 'status', 'tag', 'list_id', 'created_after', 'created_before'];
const MOST_TAGS = 3;
/** Of the choices of the filter. */

type Search = Omit<Query<'contacts.list'>, 'cursor'>;

/** Wrong values of the address are refused by the server, with a sentence. */
function searchOf({ status, ...rest }: Record<string, string>): Search & BulkActionContactFilter {
  return { ...rest, ...(status === undefined ? {} : { status: status.split(',') as ContactStatus[] }) };
}

export function ContactsPage() {
  const t = useTexts(contacts);
  const format = useFormat();
  const mayAct = useRole('member');
  const word = useStatusText();
  const filters = useFilters(FILTERS);
  const search = searchOf(filters.values);
  const [isNew, setNew] = useState(false);
  const columns = useContactColumns();
  const total = useRead(
    ['contacts', 'total', search],
    (api, signal) => api.contacts.list({ ...search, limit: 1 }, { signal }),
    {
      keepsLast: true,
    },
  );
  const list = useList<Contact>(
    ['contacts', 'list', search],
    (api, cursor, signal) =>
      api.contacts.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
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
        badge={
          total.data === undefined ? null : (
            <span className="mk-status">{format.count(total.data.total)}</span>
          )
        }
        calls={[(api) => api.contacts.list(search)]}
        actions={
          <>
            {mayAct ? (
              <PageButton to="/imports/new" variant="default" leftSection={<Icon name="import" size={16} />}>
                {t.importThem}
              </PageButton>
            ) : null}
            {add}
          </>
        }
      />
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'q', label: t.search },
          {
            kind: 'choices',
            name: 'status',
            label: word('status'),
            choices: CONTACT_STATUSES.map((value) => ({ value, label: word(value) })),
          },
          { kind: 'text', name: 'tag', label: t.tag },
          { kind: 'record', of: 'list', name: 'list_id', label: t.list },
          { kind: 'range', name: 'created_after', until: 'created_before' },
        ]}
      >
        {filters.set.length === 0 || !mayAct ? null : <ActOnThese filter={search} />}
      </FilterBar>
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{ icon: 'contacts', title: t.emptyTitle, children: t.empty, action: add }}
        columns={columns}
      />
      {isNew ? <NewContact onClose={() => setNew(false)} /> : null}
    </>
  );
}

/** The export has the same filters; it is one of several in the background. */
function ActOnThese({ filter }: { filter: BulkActionContactFilter }) {
  const t = useTexts(contacts);
  const go = useGo();
  const make = useAction((api) => api.exports.create({ kind: 'contacts', ...filter }), {
    changes: ['exports'],
    onDone: () => go('/exports'),
  });
  return (
    <>
      <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        {t.export}
      </Button>
      <BulkButton
        actions={['tag', 'untag', 'add_to_list', 'remove_from_list', 'suppress', 'delete']}
        act={(api, { action, ...rest }) =>
          // Statuses that messages use are not offered.
          action === 'resend' || action === 'cancel'
            ? Promise.reject(new Error(action))
            : api.bulkActions.createForContacts({ action, ...rest, filter })
        }
      />
    </>
  );
}

export function useContactColumns(): Column<Contact | ListMember>[] {
  const t = useTexts(contacts);
  const frame = useTexts(common);
  return [
    {
      key: 'email',
      label: t.email,
      cell: ({ id, email }) => (
        <PageLink to={`/contacts/${id}`} className="mk-clip">
          {email}
        </PageLink>
      ),
    },
    {
      key: 'name',
      label: t.name,
      isWide: true,
      cell: ({ name }) => <span className="mk-clip">{name ?? '–'}</span>,
    },
    { key: 'status', label: frame.status, cell: ({ status }) => <Status of={status} /> },
    { key: 'tags', label: t.tags, isWide: true, cell: ({ tags }) => <Tags of={tags} most={MOST_TAGS} /> },
    {
      key: 'at',
      label: frame.created,
      align: 'right',
      isWide: true,
      cell: (row) => <Time at={row.created_at} />,
    },
  ];
}
