// A file of contacts is chosen, what its columns become is shown, and the import is started or only checked.
import { Alert, Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportMode } from '@posthorn/sdk';
import { useAction, useRead } from '../../data/read.js';
import { lists as listTexts } from '../../texts/lists.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { FileDrop } from '../../ui/file-drop.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { useGo } from '../../ui/links.js';
import { Card, PageHead } from '../../ui/page.js';
import { TagsField } from '../../ui/tags.js';
import { headOf, isJsonLines } from './csv-head.js';

const MODES: readonly ImportMode[] = ['upsert', 'create_only', 'update_only'];
const MOST_LISTS = 100;

export function NewImportPage() {
  const t = useTexts(transfers).imports;
  const listText = useTexts(listTexts);
  const go = useGo();
  const form = useFormState(['list_id', 'tags', 'mode', 'metadata_columns', 'sub_tenant_id']);
  const [file, setFile] = useState<File | null>(null);
  const [list, setList] = useState('');
  const [mode, setMode] = useState<ImportMode>('upsert');
  const [tags, setTags] = useState<string[]>([]);
  const [metadataColumns, setMetadataColumns] = useState<string[]>([]);
  const [tenant, setTenant] = useState('');
  const [isDry, setDry] = useState(false);
  const lists = useRead(['lists', 'choices'], (api, signal) =>
    api.lists.list({ limit: MOST_LISTS }, { signal }),
  );
  const params = {
    format: file !== null && isJsonLines(file.name) ? ('ndjson' as const) : ('csv' as const),
    ...(list === '' ? {} : { list_id: list }),
    ...(tags.length === 0 ? {} : { tags: tags.join(',') }),
    ...(mode === 'upsert' ? {} : { mode }),
    ...(metadataColumns.length === 0 ? {} : { metadata_columns: metadataColumns.join(',') }),
    ...(tenant.trim() === '' ? {} : { sub_tenant_id: tenant.trim() }),
    ...(isDry ? { dry_run: true } : {}),
  };
  const start = useAction((api) => api.imports.create(file ?? '', params), {
    changes: ['imports'],
    onDone: ({ id }) => go(`/imports/${id}`),
    isQuiet: true,
  });
  return (
    <>
      <PageHead
        title={t.create}
        about={t.fileHint}
        back={{ to: '/imports', label: t.title }}
        calls={[(api) => api.imports.create('email\n', params)]}
      />
      <form onSubmit={form.onSubmit(() => start.mutateAsync())}>
        <Stack maw={760}>
          <FormProblem form={form} />
          <FileDrop label={t.file} accept=".csv,.txt,.tsv,.ndjson,.jsonl" file={file} onChange={setFile} />
          {file === null ? null : <Columns file={file} />}
          <Select
            label={t.list}
            placeholder={t.noList}
            data={(lists.data?.data ?? [])
              .filter(({ filter }) => filter === null)
              .map(({ id, name }) => ({ value: id, label: name }))}
            value={list === '' ? null : list}
            clearable
            clearButtonProps={{ 'aria-label': t.noList }}
            error={form.errors['list_id']}
            onChange={(value) => setList(value ?? '')}
          />
          <Select
            label={t.mode}
            data={MODES.map((value) => ({ value, label: t.modes[value] }))}
            value={mode}
            error={form.errors['mode']}
            onChange={(value) => setMode(value ?? 'upsert')}
          />
          <TagsField label={t.tags} tags={tags} error={form.errors['tags']} onChange={setTags} />
          <TagsField
            label={t.metadataColumns}
            hint={t.metadataColumnsHint}
            tags={metadataColumns}
            error={form.errors['metadata_columns']}
            onChange={setMetadataColumns}
          />
          <TextInput
            label={t.subTenant}
            description={listText.subTenantHint}
            value={tenant}
            error={form.errors['sub_tenant_id']}
            onChange={(event) => setTenant(event.currentTarget.value)}
          />
          <Checkbox
            label={t.dryRun}
            description={t.dryRunHint}
            checked={isDry}
            onChange={(event) => setDry(event.currentTarget.checked)}
          />
          <Group>
            <Button type="submit" disabled={file === null} loading={form.isBusy}>
              {isDry ? t.startDry : t.start}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

/** Columns are taken by their names, so that a file says the same to the API and the command line. */
function Columns({ file }: { file: File }) {
  const t = useTexts(transfers).imports;
  const known: Record<string, string> = t.known;
  const head = useQuery({
    queryKey: ['file-head', file.name, file.size, file.lastModified],
    queryFn: () => headOf(file),
  });
  if (head.data === undefined || head.data.columns.length === 0) return null;
  const { columns, sample } = head.data;
  const hasEmail = columns.some((name) => name.toLowerCase() === 'email');
  return (
    <Card title={t.columns}>
      {hasEmail ? null : (
        <Alert color="yellow" mb="sm" role="status">
          {t.noEmail}
        </Alert>
      )}
      <div className="ph-table-frame" role="region" aria-label={t.columns} tabIndex={0}>
        <table className="ph-table">
          <thead>
            <tr>
              <th scope="col">{t.column}</th>
              <th scope="col">{t.becomes}</th>
              <th scope="col">{t.sample}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((name, place) => (
              <tr key={`${place} ${name}`}>
                <td className="ph-mono">{name}</td>
                <td>{known[name.toLowerCase()] ?? t.custom(name)}</td>
                <td>
                  <Text span c="dimmed" className="ph-clip">
                    {sample[place] ?? ''}
                  </Text>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
