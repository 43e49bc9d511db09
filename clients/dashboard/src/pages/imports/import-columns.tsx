// Maps the columns of a file to import: the server's suggestion for each, and a select to change it.
import { Alert, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ImportPreview, ImportPreviewColumn, RowsFormat } from '@mailkeel/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRead } from '../../data/read.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { Card } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';

/** Size that a preview reads. */
const HEAD_BYTES = 128 * 1024;
const KEY_START = 'metadata.';
/** Targets that at most one column may have. */
const SINGLE = ['email', 'name', 'first_name', 'last_name', 'phone', 'sub_tenant_id'] as const;
const CHOICES = [
  'email',
  'name',
  'first_name',
  'last_name',
  'phone',
  'tags',
  'status',
  'field',
  'metadata',
  'sub_tenant_id',
  'ignore',
] as const;
type Choice = (typeof CHOICES)[number];

/** The chosen targets by column, as in the API; '' for a column that looks like a status and has no target yet. */
export type Chosen = Readonly<Record<string, string>>;

export function formatOf(name: string): NonNullable<RowsFormat['format']> {
  if (/\.json$/i.test(name)) return 'json';
  return /\.(ndjson|jsonl)$/i.test(name) ? 'ndjson' : 'csv';
}

/** The server's suggestion for the file without any mapping. */
export function usePreview(file: File | null): UseQueryResult<ImportPreview> {
  return useRead(
    ['import-preview', file?.name, file?.size, file?.lastModified],
    (api, signal) => {
      const format = formatOf(file?.name ?? '');
      return api.imports.preview(file?.slice(0, HEAD_BYTES) ?? '', { format }, { signal });
    },
    { isOff: file === null },
  );
}

const targetOf = ({ name, becomes, warning }: ImportPreviewColumn, chosen: Chosen): string =>
  chosen[name] ?? (warning === null ? becomes : '');

/** Returns the columns whose target differs from the server's suggestion. */
export function mappingOf({ columns }: ImportPreview, chosen: Chosen): Record<string, string> {
  const changed = columns.filter(
    ({ name, becomes, warning }) =>
      chosen[name] !== undefined && (chosen[name] !== becomes || warning !== null),
  );
  return Object.fromEntries(changed.map(({ name }) => [name, chosen[name] ?? '']));
}

export interface ColumnsProblem {
  hasEmail: boolean;
  /** Targets of more than one column. */
  twice: Choice[];
  /** Columns that look like a status and have no target. */
  open: string[];
}

/** Returns null if the file can be imported. */
export function problemOf(preview: ImportPreview, chosen: Chosen): ColumnsProblem | null {
  const targets = preview.columns.map((column) => targetOf(column, chosen));
  const hasEmail = targets.includes('email');
  const twice = SINGLE.filter((single) => targets.indexOf(single) !== targets.lastIndexOf(single));
  const open = preview.columns.filter((_, i) => isOpen(targets[i] ?? '')).map(({ name }) => name);
  return hasEmail && twice.length === 0 && open.length === 0 ? null : { hasEmail, twice, open };
}

const isOpen = (target: string): boolean => target === '' || target === KEY_START;

interface ImportColumnsProps {
  of: UseQueryResult<ImportPreview>;
  chosen: Chosen;
  onChoose: (name: string, target: string) => void;
}

export function ImportColumns({ of, chosen, onChoose }: ImportColumnsProps) {
  const t = useTexts(transfers).imports;
  return (
    <Shown of={of}>
      {(preview) =>
        preview.columns.length === 0 ? null : (
          <Card title={t.columns}>
            <Text c="dimmed" mb="sm">
              {t.columnsHint(preview.encoding.toUpperCase())}
            </Text>
            <Problem of={problemOf(preview, chosen)} />
            <table className="mk-table">
              <thead>
                <tr>
                  <th scope="col">{t.column}</th>
                  <th scope="col">{t.becomes}</th>
                </tr>
              </thead>
              <tbody>
                {preview.columns.map((column) => (
                  <tr key={column.name}>
                    <td>
                      <span className="mk-mono mk-break">{column.name}</span>
                      <Text size="xs" c="dimmed" className="mk-break" lineClamp={2}>
                        {column.samples.join(' · ')}
                      </Text>
                    </td>
                    <td>
                      <Target
                        of={column}
                        target={targetOf(column, chosen)}
                        onChange={(target) => onChoose(column.name, target)}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
        )
      }
    </Shown>
  );
}

function Problem({ of }: { of: ColumnsProblem | null }) {
  const t = useTexts(transfers).imports;
  if (of === null) return null;
  const { hasEmail, twice, open } = of;
  return (
    <Alert color="yellow" mb="sm" role="status">
      {hasEmail ? null : <Text>{t.noEmail}</Text>}
      {twice.map((target) => (
        <Text key={target}>{t.twice(t.targets[target])}</Text>
      ))}
      {open.length === 0 ? null : <Text>{t.looksLikeStatus(open.join(', '))}</Text>}
    </Alert>
  );
}

interface TargetProps {
  of: ImportPreviewColumn;
  target: string;
  onChange: (target: string) => void;
}

function Target({ of: { name }, target, onChange }: TargetProps) {
  const t = useTexts(transfers).imports;
  const isField = target.startsWith(KEY_START);
  const choice = isField ? 'field' : (CHOICES.find((one) => one === target) ?? null);
  return (
    <Stack gap={6}>
      <Select
        aria-label={t.becomesOf(name)}
        placeholder={t.choose}
        data={CHOICES.map((value) => ({ value, label: t.targets[value] }))}
        value={choice}
        allowDeselect={false}
        onChange={(value) => onChange(value === 'field' ? `${KEY_START}${name}` : (value ?? ''))}
      />
      {isField ? (
        <TextInput
          size="xs"
          aria-label={t.keyOf(name)}
          value={target.slice(KEY_START.length)}
          onChange={(event) => onChange(`${KEY_START}${event.currentTarget.value}`)}
        />
      ) : null}
    </Stack>
  );
}
