// Exports into files: making, following and downloading them.
import { Button, Select, Text, TextInput, MultiSelect } from '@mantine/core';
import { useState } from 'react';
import type {
  ContactStatus,
  Export,
  ExportCreate,
  ExportKind,
  FeedEventName,
  MessageStatus,
  SuppressionReason,
  TransferFormat,
} from '@mailkeel/sdk';
import { fileHref } from '../../data/files.js';
import { timeOf } from '../../data/local-time.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { EVENT_NAMES } from '../../texts/event-names.js';
import { events as eventTexts } from '../../texts/events.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageHead } from '../../ui/page.js';
import { ListPicker } from '../../ui/pickers.js';
import { SearchMultiSelect } from '../../ui/search-select.js';
import { Status, useStatusText } from '../../ui/status.js';
import { CONTACT_STATUSES } from '../contacts/contact-statuses.js';
import { MESSAGE_STATUSES } from '../messages/message-statuses.js';
import { SUPPRESSION_REASONS } from '../suppressions/suppression-dialogs.js';
import { FilterFacts } from './filter-facts.js';
import { CancelButton, isUnderWay, ProgressOf, PROGRESS_MS, TransferTabs } from './transfer-parts.js';

const KINDS: readonly ExportKind[] = ['contacts', 'messages', 'events', 'suppressions', 'workspace'];
const FORMATS: readonly TransferFormat[] = ['csv', 'ndjson', 'json'];

export function ExportsPage() {
  const t = useTexts(transfers);
  const mayAct = useRole('member');
  const { cursor } = useFilters([]);
  const [isNew, setNew] = useState(false);
  const list = useList<Export>(
    ['exports', 'list'],
    (api, from, signal) => api.exports.list({ limit: 50, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor, every: PROGRESS_MS },
  );
  const add = mayAct ? (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setNew(true)}>
      {t.exports.create}
    </Button>
  ) : null;
  return (
    <>
      <PageHead title={t.exports.title} about={t.about} calls={[(api) => api.exports.list()]} actions={add} />
      <TransferTabs current="exports" />
      <DataTable
        label={t.exports.title}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'export', title: t.exports.emptyTitle, children: t.exports.empty, action: add }}
        columns={[
          { key: 'kind', label: t.exports.kind, cell: (row) => <ExportName of={row} /> },
          { key: 'status', label: t.status, cell: ({ status }) => <Status of={status} /> },
          {
            key: 'filter',
            label: t.bulk.filter,
            isWide: true,
            cell: (row) => <FilterFacts of={row.filters} />,
          },
          {
            key: 'progress',
            label: t.progress,
            align: 'right',
            cell: (row) => <ProgressOf status={row.status} processed={row.processed} total={row.total} />,
          },
          {
            key: 'started',
            label: t.started,
            align: 'right',
            isWide: true,
            cell: (row) => <Time at={row.created_at} />,
          },
          {
            key: 'file',
            label: t.exports.file,
            align: 'right',
            cell: (row) => <FileCell of={row} mayAct={mayAct} />,
          },
        ]}
      />
      {isNew ? <NewExport onClose={() => setNew(false)} /> : null}
    </>
  );
}

function ExportName({ of }: { of: Export }) {
  const t = useTexts(transfers).exports;
  return (
    <>
      {t.kinds[of.kind]}{' '}
      <Text span size="xs" c="dimmed">
        {t.formats[of.format]}
      </Text>
      {of.error === null ? null : (
        <Text size="xs" className="mk-break">
          {of.error}
        </Text>
      )}
    </>
  );
}

function FileCell({ of, mayAct }: { of: Export; mayAct: boolean }) {
  const t = useTexts(transfers);
  const place = usePlace();
  const format = useFormat();
  const { id } = of;
  const cancel = useAction((api) => api.exports.cancel(id), {
    done: t.canceled,
    changes: ['exports'],
    isQuiet: true,
  });
  if (isUnderWay(of.status)) {
    if (!mayAct) return null;
    return (
      <CancelButton
        name={t.exports.kinds[of.kind]}
        onConfirm={() => cancel.mutateAsync()}
        call={(api) => api.exports.cancel(id)}
      />
    );
  }
  if (of.status !== 'completed') return <>–</>;
  return (
    <Button
      component="a"
      size="compact-sm"
      variant="default"
      href={fileHref(place, `/v1/exports/${id}/file`)}
      download
      aria-label={`${format.bytes(of.size_bytes)}, ${t.exports.download}: ${t.exports.kinds[of.kind]}, ${format.time(of.created_at)}`}
    >
      {format.bytes(of.size_bytes)}
    </Button>
  );
}

interface ExportForm {
  tag: string;
  list: string;
  contactStatuses: ContactStatus[];
  messageStatuses: MessageStatus[];
  reasons: SuppressionReason[];
  events: FeedEventName[];
  after: string;
  before: string;
}

const NOTHING: ExportForm = {
  tag: '',
  list: '',
  contactStatuses: [],
  messageStatuses: [],
  reasons: [],
  events: [],
  after: '',
  before: '',
};

function exportOf(kind: ExportKind, format: TransferFormat, form: ExportForm): ExportCreate {
  const after = timeOf(form.after);
  const before = timeOf(form.before);
  const time = {
    ...(after === null ? {} : { created_after: after }),
    ...(before === null ? {} : { created_before: before }),
  };
  const tag = form.tag.trim();
  switch (kind) {
    case 'contacts':
      return {
        ...{ kind, format, ...time },
        ...(tag === '' ? {} : { tag }),
        ...(form.list === '' ? {} : { list_id: form.list }),
        ...(form.contactStatuses.length === 0 ? {} : { status: form.contactStatuses }),
      };
    case 'messages':
      return {
        ...{ kind, format, ...time },
        ...(tag === '' ? {} : { tag: [tag] }),
        ...(form.messageStatuses.length === 0 ? {} : { status: form.messageStatuses }),
      };
    case 'events':
      return { kind, format, ...(form.events.length === 0 ? {} : { events: form.events }) };
    case 'suppressions':
      return { kind, format, ...time, ...(form.reasons.length === 0 ? {} : { reason: form.reasons }) };
    case 'workspace':
      return { kind };
  }
}

function NewExport({ onClose }: { onClose: () => void }) {
  const t = useTexts(transfers).exports;
  const form = useFormState([]);
  const [kind, setKind] = useState<ExportKind>('contacts');
  const [format, setFormat] = useState<TransferFormat>('csv');
  const [values, setValues] = useState<ExportForm>(NOTHING);
  const params = exportOf(kind, format, values);
  const make = useAction((api) => api.exports.create(params), {
    done: t.started,
    changes: ['exports'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.create}
      submit={t.create}
      form={form}
      extra={<CallsButton calls={[(api) => api.exports.create(params)]} />}
      act={() => make.mutateAsync()}
    >
      <Text c="dimmed">{t.hint}</Text>
      <Select
        label={t.kind}
        data={KINDS.map((value) => ({ value, label: t.kinds[value] }))}
        value={kind}
        onChange={(value) => setKind(value ?? 'contacts')}
      />
      {kind === 'workspace' ? null : (
        <>
          <Select
            label={t.format}
            data={FORMATS.map((value) => ({ value, label: t.formats[value] }))}
            value={format}
            onChange={(value) => setFormat(value ?? 'csv')}
          />
          <ExportFields
            kind={kind}
            values={values}
            set={(changes) => setValues((before) => ({ ...before, ...changes }))}
          />
        </>
      )}
    </FormDialog>
  );
}

function ExportFields({
  kind,
  values,
  set,
}: {
  kind: ExportKind;
  values: ExportForm;
  set: (changes: Partial<ExportForm>) => void;
}) {
  const t = useTexts(transfers).exports;
  const { names } = useTexts(eventTexts);
  const word = useStatusText();
  const choices = <V extends string>(all: readonly V[]) =>
    all.map((value) => ({ value, label: word(value) }));
  return (
    <>
      {kind === 'contacts' ? (
        <>
          <ListPicker
            label={t.list}
            placeholder={t.all}
            value={values.list === '' ? null : values.list}
            onChange={(list) => set({ list: list ?? '' })}
          />
          <MultiSelect
            label={t.statuses}
            placeholder={values.contactStatuses.length === 0 ? t.all : ''}
            data={choices(CONTACT_STATUSES)}
            value={values.contactStatuses}
            onChange={(contactStatuses) => set({ contactStatuses })}
          />
        </>
      ) : null}
      {kind === 'messages' ? (
        <MultiSelect
          label={t.statuses}
          placeholder={values.messageStatuses.length === 0 ? t.all : ''}
          data={choices(MESSAGE_STATUSES)}
          value={values.messageStatuses}
          onChange={(messageStatuses) => set({ messageStatuses })}
        />
      ) : null}
      {kind === 'suppressions' ? (
        <MultiSelect
          label={t.reasons}
          placeholder={values.reasons.length === 0 ? t.all : ''}
          data={choices(SUPPRESSION_REASONS)}
          value={values.reasons}
          onChange={(reasons) => set({ reasons })}
        />
      ) : null}
      {kind === 'events' ? (
        <SearchMultiSelect
          label={t.eventNames}
          placeholder={values.events.length === 0 ? t.all : ''}
          data={EVENT_NAMES.map((value) => ({ value, label: names[value] }))}
          value={values.events}
          onChange={(events) => set({ events })}
        />
      ) : (
        <>
          {kind === 'suppressions' ? null : (
            <TextInput
              label={t.tag}
              value={values.tag}
              onChange={(event) => set({ tag: event.currentTarget.value })}
            />
          )}
          <TextInput
            type="datetime-local"
            label={t.after}
            value={values.after}
            onChange={(event) => set({ after: event.currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            label={t.before}
            value={values.before}
            onChange={(event) => set({ before: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
