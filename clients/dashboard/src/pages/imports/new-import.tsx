// Chooses a file of contacts, shows and maps its columns, and starts or only checks the import.
import { Button, Checkbox, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ImportMode } from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { lists as listTexts } from '../../texts/lists.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { FileDrop } from '../../ui/file-drop.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { useGo } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { TagsField } from '../../ui/tags.js';
import { formatOf, ImportColumns, mappingOf, problemOf, usePreview, type Chosen } from './import-columns.js';
import { PlainListPicker, SubTenantPicker } from '../../ui/pickers.js';

const MODES: readonly ImportMode[] = ['upsert', 'create_only', 'update_only'];

export function NewImportPage() {
  const t = useTexts(transfers).imports;
  const listText = useTexts(listTexts);
  const go = useGo();
  const form = useFormState(['list_id', 'tags', 'mode', 'columns', 'sub_tenant_id']);
  const [file, setFile] = useState<File | null>(null);
  const [list, setList] = useState('');
  const [mode, setMode] = useState<ImportMode>('upsert');
  const [tags, setTags] = useState<string[]>([]);
  const [chosen, setChosen] = useState<Chosen>({});
  const [tenant, setTenant] = useState('');
  const [isDry, setDry] = useState(false);
  const preview = usePreview(file);
  const columns = preview.data ? mappingOf(preview.data, chosen) : {};
  const isReady = preview.data !== undefined && problemOf(preview.data, chosen) === null;
  const params = {
    format: formatOf(file?.name ?? ''),
    ...(list === '' ? {} : { list_id: list }),
    ...(tags.length === 0 ? {} : { tags: tags.join(',') }),
    ...(mode === 'upsert' ? {} : { mode }),
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
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
          <FileDrop
            label={t.file}
            accept=".csv,.txt,.tsv,.ndjson,.jsonl,.json"
            file={file}
            onChange={(next) => {
              setFile(next);
              setChosen({});
            }}
          />
          {file === null ? null : (
            <ImportColumns
              of={preview}
              chosen={chosen}
              onChoose={(name, target) => setChosen((before) => ({ ...before, [name]: target }))}
            />
          )}
          <PlainListPicker
            label={t.list}
            placeholder={t.noList}
            value={list === '' ? null : list}
            error={form.errors['list_id']}
            onChange={(id) => setList(id ?? '')}
          />
          <Select
            label={t.mode}
            data={MODES.map((value) => ({ value, label: t.modes[value] }))}
            value={mode}
            error={form.errors['mode']}
            onChange={(value) => setMode(value ?? 'upsert')}
          />
          <TagsField label={t.tags} tags={tags} error={form.errors['tags']} onChange={setTags} />
          <SubTenantPicker
            label={t.subTenant}
            description={listText.subTenantHint}
            value={tenant === '' ? null : tenant}
            error={form.errors['sub_tenant_id']}
            onChange={(id) => setTenant(id ?? '')}
          />
          <Checkbox
            label={t.dryRun}
            description={t.dryRunHint}
            checked={isDry}
            onChange={(event) => setDry(event.currentTarget.checked)}
          />
          <Group>
            <Button type="submit" disabled={!isReady} loading={form.isBusy}>
              {isDry ? t.startDry : t.start}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
