// The versions of a template: compares two of them, and restores one.
import { Group, Select, Stack, Text, Title } from '@mantine/core';
import type { Template, TemplateDiff, TemplateVersion } from '@mailkeel/sdk';
import { useAction, useList, useRead } from '../../data/read.js';
import { useSearchTexts } from '../../data/address.js';
import { templates } from '../../texts/templates.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { useSearchValue } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Card } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

const PARTS = ['subject', 'html', 'text', 'inline_css'] as const;

export function TemplateVersions({ template, isFixed }: { template: Template; isFixed: boolean }) {
  const { versions: t, version } = useTexts(templates);
  const { cursor } = useSearchTexts();
  const { id, version: current } = template;
  const list = useList<TemplateVersion>(
    ['templates', id, 'versions'],
    (api, from, signal) =>
      api.templates.listVersions(id, { limit: 20, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor },
  );
  return (
    <Stack gap="lg">
      {current > 1 ? <Comparison template={template} /> : <Text c="dimmed">{t.only}</Text>}
      <DataTable
        label={t.compare}
        list={list}
        rowKey={(row) => String(row.version)}
        empty={{ icon: 'template', title: t.only }}
        columns={[
          {
            key: 'version',
            label: version,
            cell: (row) => (
              <Group gap="xs">
                {row.version === 1 ? (
                  <span>{t.number(row.version)}</span>
                ) : (
                  <PageLink
                    to={`/templates/${id}`}
                    search={{ tab: 'versions', from: String(row.version - 1), to: String(row.version) }}
                  >
                    {t.number(row.version)}
                  </PageLink>
                )}
                {row.version === current ? <Status of="ok">{t.current}</Status> : null}
              </Group>
            ),
          },
          {
            key: 'subject',
            label: t.parts.subject,
            isWide: true,
            cell: (row) => <span className="mk-clip">{row.subject ?? '–'}</span>,
          },
          { key: 'made', label: t.made, cell: (row) => <Time at={row.created_at} /> },
          ...(isFixed
            ? []
            : [
                {
                  key: 'restore',
                  label: t.restore,
                  align: 'right' as const,
                  cell: (row: TemplateVersion) =>
                    row.version === current ? '–' : <Restore id={id} version={row.version} />,
                },
              ]),
        ]}
      />
    </Stack>
  );
}

function Restore({ id, version }: { id: string; version: number }) {
  const t = useTexts(templates).versions;
  const restore = useAction((api) => api.templates.restore(id, { version }), {
    done: (made) => t.restored(made.version),
    changes: ['templates'],
    isQuiet: true,
  });
  return (
    <ConfirmButton
      label={t.restore}
      size="xs"
      title={t.restoreTitle(version)}
      action={t.restore}
      isDangerous={false}
      call={(api) => api.templates.restore(id, { version })}
      onConfirm={() => restore.mutateAsync()}
    >
      {t.restoreAsk}
    </ConfirmButton>
  );
}

function Comparison({ template: { id, version } }: { template: Template }) {
  const t = useTexts(templates).versions;
  const [from, setFrom] = useSearchValue('from', String(version - 1));
  const [to, setTo] = useSearchValue('to', String(version));
  const params = { from: Number(from), to: Number(to) };
  const found = useRead(
    ['templates', id, 'diff', params],
    (api, signal) => api.templates.compareVersions(id, params, { signal }),
    { keepsLast: true },
  );
  const numbers = Array.from({ length: version }, (_, at) => String(version - at));
  const choices = numbers.map((value) => ({ value, label: t.number(Number(value)) }));
  return (
    <Card title={t.compare}>
      <Group mb="md">
        <Select label={t.from} data={choices} value={from} onChange={(value) => setFrom(value ?? from)} />
        <Select label={t.to} data={choices} value={to} onChange={(value) => setTo(value ?? to)} />
      </Group>
      <Shown of={found} lines={5}>
        {(diff) => <Differences diff={diff} />}
      </Shown>
    </Card>
  );
}

function Differences({ diff: { parts } }: { diff: TemplateDiff }) {
  const t = useTexts(templates).versions;
  const changed = PARTS.filter((part) => parts[part].diff !== '');
  if (changed.length === 0) return <Text>{t.same}</Text>;
  return (
    <Stack>
      {changed.map((part) => (
        <section key={part}>
          <Group gap="sm" mb={4}>
            <Title order={3}>{t.parts[part]}</Title>
            <Text size="sm" c="dimmed">
              {t.added(parts[part].added)}, {t.removed(parts[part].removed)}
            </Text>
          </Group>
          <DiffLines diff={parts[part].diff} label={t.parts[part]} />
        </section>
      ))}
    </Stack>
  );
}

/** Shows a unified diff. Each changed line has a sign, so that color is not the only mark. */
function DiffLines({ diff, label }: { diff: string; label: string }) {
  const t = useTexts(templates).versions;
  const lines = diff.split('\n').filter((line) => line !== '' && !line.startsWith('\\'));
  const kinds: Record<string, [kind: string, said: string]> = {
    '+': ['added', t.addedLine],
    '-': ['removed', t.removedLine],
    '@': ['place', ''],
  };
  return (
    <div className="mk-diff" role="region" aria-label={label} tabIndex={0}>
      {lines.map((line, at) => {
        const [kind, said] = kinds[line.slice(0, 1)] ?? ['same', ''];
        return (
          <div key={at} data-kind={kind}>
            <span aria-hidden="true">{kind === 'place' ? '' : line.slice(0, 1)}</span>
            {said === '' ? null : <span className="mk-said">{said} </span>}
            <code>{kind === 'place' ? '⋯' : line.slice(1)}</code>
          </div>
        );
      })}
    </div>
  );
}
