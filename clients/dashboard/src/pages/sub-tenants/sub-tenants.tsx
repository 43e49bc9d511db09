// The page that lists sub-tenants with their status.
import { Button, Collapse, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Query, SubTenant, SubTenantCreate } from '@mailkeel/sdk';
import { useState } from 'react';
import { usePlace, useRole } from '../../data/place.js';
import { useList, useRefresh } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { subTenants } from '../../texts/sub-tenants.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, useGo, useNewFromLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';

const STATUSES = ['pending_verification', 'verified', 'failed', 'suspended', 'paused'];
const REPUTATIONS = ['ok', 'warned', 'throttled', 'paused'] as const;
const ORDERS = ['-created_at', '-complaint_rate', '-bounce_rate'] as const;

type Search = Omit<Query<'subTenants.list'>, 'cursor'>;

function searchOf(values: Record<string, string>): Search {
  const { status, reputation, ...rest } = values;
  return {
    ...rest,
    ...(status === undefined ? {} : { status: status.split(',') }),
    ...(reputation === undefined ? {} : { reputation: reputation.split(',') }),
  } as Search;
}

export function SubTenantsPage() {
  const t = useTexts(subTenants);
  const frame = useTexts(common);
  const word = useStatusText();
  const filters = useFilters(['q', 'status', 'reputation', 'order', 'external_id']);
  const search = searchOf(filters.values);
  const list = useList<SubTenant>(
    ['sub-tenants', 'list', search],
    (api, cursor, signal) =>
      api.subTenants.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  const choices = (values: readonly string[]) => values.map((value) => ({ value, label: word(value) }));
  const reputations = REPUTATIONS.map((value) => ({ value, label: t.reputations[value] }));
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.subTenants.list(search)]}
        actions={<NewSubTenant opensFromLink />}
      />
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'q', label: t.search, placeholder: t.searchHint },
          { kind: 'choices', name: 'status', label: frame.status, choices: choices(STATUSES) },
          { kind: 'choices', name: 'reputation', label: t.reputation, choices: reputations },
          {
            kind: 'choice',
            name: 'order',
            label: t.order,
            choices: ORDERS.map((value) => ({ value, label: t.orders[value] })),
          },
        ]}
      />
      <SubTenantTable list={list} filters={filters.set.filter((name) => name !== 'order')} />
    </>
  );
}

function SubTenantTable({
  list,
  filters,
}: {
  list: ReturnType<typeof useList<SubTenant>>;
  filters: readonly string[];
}) {
  const t = useTexts(subTenants);
  const frame = useTexts(common);
  const format = useFormat();
  return (
    <DataTable
      label={t.title}
      list={list}
      rowKey={({ id }) => id}
      filters={filters}
      empty={{ icon: 'tenants', title: t.emptyTitle, children: t.empty, action: <NewSubTenant /> }}
      columns={[
        {
          key: 'name',
          label: t.name,
          cell: (row) => (
            <>
              <PageLink to={`/sub-tenants/${row.id}`} className="mk-clip">
                <bdi>{row.name}</bdi>
              </PageLink>
              <Text size="xs" c="dimmed" className="mk-clip">
                {row.sending_domain}
              </Text>
            </>
          ),
        },
        { key: 'status', label: frame.status, cell: ({ status }) => <Status of={status} /> },
        {
          key: 'reputation',
          label: t.reputation,
          cell: ({ reputation }) => (
            <Status of={reputation.state} tone={toneOfState(reputation.state)}>
              {t.reputations[reputation.state]}
            </Status>
          ),
        },
        {
          key: 'complaints',
          label: t.complaints,
          align: 'right',
          cell: ({ reputation }) => format.rate(reputation.complaint_rate),
        },
        {
          key: 'bounces',
          label: t.bounces,
          align: 'right',
          isWide: true,
          cell: ({ reputation }) => format.rate(reputation.bounce_rate),
        },
        {
          key: 'delivered',
          label: t.delivered,
          align: 'right',
          isWide: true,
          cell: ({ reputation }) => format.count(reputation.delivered),
        },
        {
          key: 'external',
          label: t.externalId,
          isWide: true,
          cell: (row) => <span className="mk-clip mk-mono">{row.external_id ?? '–'}</span>,
        },
        {
          key: 'created',
          label: frame.created,
          align: 'right',
          isWide: true,
          cell: (row) => <Time at={row.created_at} />,
        },
      ]}
    />
  );
}

function toneOfState(state: string) {
  return state === 'ok' ? ('good' as const) : state === 'throttled' ? ('bad' as const) : ('warn' as const);
}

const FIELDS = [
  'name',
  'sending_domain',
  'external_id',
  'return_path_domain',
  'inbound_domain',
  'tracking_domain',
];
const OPTIONAL = FIELDS.slice(2);

/** Without the fields that are left empty. */
function requestOf(given: Record<string, string>): SubTenantCreate {
  const { name = '', sending_domain: domain = '' } = given;
  const more = Object.entries(given).filter(([field, text]) => OPTIONAL.includes(field) && text !== '');
  return { name, sending_domain: domain, ...Object.fromEntries(more) };
}

/** Only one of the page's buttons opens its dialog for a link. */
function NewSubTenant({ opensFromLink = false }: { opensFromLink?: boolean }) {
  const t = useTexts(subTenants);
  const mayCreate = useRole('member');
  const [isOpen, { open, close }] = useDisclosure(false);
  useNewFromLink(opensFromLink ? open : null);
  if (!mayCreate) return null;
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        {t.newOne}
      </Button>
      {isOpen ? <NewSubTenantDialog onClose={close} /> : null}
    </>
  );
}

function NewSubTenantDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(subTenants);
  const { api } = usePlace();
  const go = useGo();
  const refresh = useRefresh();
  const form = useFormState(FIELDS);
  const [given, setGiven] = useState<Record<string, string>>({});
  const [hasNames, { toggle }] = useDisclosure(false);
  const field = (name: string) => ({
    name,
    value: given[name] ?? '',
    error: form.errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setGiven((before) => ({ ...before, [name]: value.trimStart() }));
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.newOne}
      submit={t.create}
      form={form}
      extra={<CallsButton calls={[(to) => to.subTenants.create(requestOf(given))]} />}
      act={async () => {
        const made = await api.subTenants.create(requestOf(given));
        await refresh('sub-tenants');
        await go({ to: `/sub-tenants/${made.id}`, search: { tab: 'dns' } });
      }}
    >
      <TextInput label={t.name} required {...field('name')} />
      <TextInput
        label={t.domain}
        description={t.domainHint}
        placeholder={t.domainExample}
        required
        {...field('sending_domain')}
      />
      <TextInput label={t.externalId} description={t.externalIdHint} {...field('external_id')} />
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={hasNames}
        onClick={toggle}
        style={{ alignSelf: 'start' }}
      >
        {t.ownNames}
      </Button>
      <Collapse expanded={hasNames}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t.ownNamesHint}
          </Text>
          <TextInput label={t.returnPath} {...field('return_path_domain')} />
          <TextInput label={t.inbound} {...field('inbound_domain')} />
          <TextInput label={t.tracking} {...field('tracking_domain')} />
        </Stack>
      </Collapse>
    </FormDialog>
  );
}
