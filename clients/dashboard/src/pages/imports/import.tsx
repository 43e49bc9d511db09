// The page of one import: its progress, its results, and refused rows.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Import } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { fileHref } from '../../data/files.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { Copyable } from '../../ui/code-block.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { Card, Facts, PageHead, Stat } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Tags } from '../../ui/tags.js';
import { ImportProgress } from './imports.js';
import { rejectedRows } from './rejected-rows.js';
import { CancelButton, isUnderWay, PROGRESS_MS } from './transfer-parts.js';

const COUNTS = ['created', 'updated', 'unchanged', 'skipped', 'opted_out', 'not_rejoined', 'failed'] as const;
/** So many are shown; the file has all. */
const MOST_REJECTED = 100;

export function ImportPage() {
  const id = usePathPart('id');
  const found = useRead(['imports', id], (api, signal) => api.imports.get(id, { signal }), {
    every: PROGRESS_MS,
  });
  return <Shown of={found}>{(one) => <OneImport of={one} />}</Shown>;
}

function OneImport({ of }: { of: Import }) {
  const t = useTexts(transfers);
  const format = useFormat();
  const mayAct = useRole('member');
  const { id, list_id: list } = of;
  const cancel = useAction((api) => api.imports.cancel(id), {
    done: t.canceled,
    changes: ['imports'],
    isQuiet: true,
  });
  const title = t.imports.of(format.time(of.created_at));
  return (
    <>
      <PageHead
        title={title}
        badge={<Status of={of.status} />}
        about={of.dry_run ? t.imports.dryRunHint : null}
        back={{ to: '/imports', label: t.imports.title }}
        calls={[(api) => api.imports.get(id), (api) => api.imports.getRejectedRows(id)]}
        actions={
          <>
            {list === null ? null : (
              <PageButton to={`/lists/${list}`} variant="default">
                {t.imports.contacts}
              </PageButton>
            )}
            {mayAct && isUnderWay(of.status) ? (
              <CancelButton
                name={title}
                onConfirm={() => cancel.mutateAsync()}
                call={(api) => api.imports.cancel(id)}
              />
            ) : null}
          </>
        }
      />
      <Stack gap="lg">
        {of.error === null ? null : (
          <Alert color="red" role="alert">
            {of.error}
          </Alert>
        )}
        {of.warnings.map((warning) => (
          <Alert key={warning} color="yellow">
            {warning}
          </Alert>
        ))}
        <div className="mk-split">
          <Stack gap="lg" miw={0}>
            <Card title={t.progress}>
              <Stack>
                <ImportProgress of={of} />
                <Group gap={40}>
                  {COUNTS.map((name) => (
                    <Stat key={name} label={t.imports.counts[name]} value={format.count(of[name])} />
                  ))}
                </Group>
              </Stack>
            </Card>
            {of.failed === 0 ? null : <Rejected of={of} />}
          </Stack>
          <ImportFacts of={of} />
        </div>
      </Stack>
    </>
  );
}

function ImportFacts({ of }: { of: Import }) {
  const t = useTexts(transfers);
  const format = useFormat();
  const { sub_tenant_id: tenant, list_id: list } = of;
  return (
    <Card title={t.facts}>
      <Facts
        isStacked
        of={[
          [t.id, <Copyable key="id" value={of.id} />],
          [t.imports.format, t.exports.formats[of.format]],
          [t.imports.size, format.bytes(of.size_bytes)],
          [t.imports.mode, t.imports.modes[of.mode]],
          list === null
            ? null
            : [
                t.imports.list,
                <PageLink key="list" to={`/lists/${list}`}>
                  {list}
                </PageLink>,
              ],
          of.tags.length === 0 ? null : [t.imports.tags, <Tags key="tags" of={of.tags} />],
          tenant === null ? null : [t.imports.subTenant, tenant],
          [t.started, <Time key="at" at={of.created_at} isFull />],
          of.finished_at === null ? null : [t.finished, <Time key="end" at={of.finished_at} isFull />],
        ]}
      />
    </Card>
  );
}

function Rejected({ of }: { of: Import }) {
  const t = useTexts(transfers).imports;
  const place = usePlace();
  const rows = useRead(['imports', of.id, 'rejected', of.failed], async (api, signal) =>
    rejectedRows(await (await api.imports.getRejectedRows(of.id, { signal })).text(), MOST_REJECTED),
  );
  return (
    <Card
      title={t.failedTitle}
      actions={
        <Button
          component="a"
          size="xs"
          variant="default"
          href={fileHref(place, `/v1/imports/${of.id}/rejected`)}
          download
          leftSection={<Icon name="download" size={14} />}
        >
          {t.download}
        </Button>
      }
    >
      <Text c="dimmed" mb="sm">
        {t.failedHint}
      </Text>
      <Shown of={rows}>
        {(all) => (
          <div className="mk-table-frame" role="region" aria-label={t.failedTitle} tabIndex={0}>
            <table className="mk-table">
              <thead>
                <tr>
                  <th scope="col">{t.row}</th>
                  <th scope="col">{t.why}</th>
                  <th scope="col">{t.value}</th>
                </tr>
              </thead>
              <tbody>
                {all.map(({ line, problem, row }) => (
                  <tr key={line}>
                    <td>{line}</td>
                    <td className="mk-break">{problem}</td>
                    <td className="mk-mono">
                      <span className="mk-clip">{row}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
    </Card>
  );
}
