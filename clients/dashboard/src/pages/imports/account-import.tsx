// One account import: its counts, why it waits or failed, and the report.
import { Alert, Button, Stack, Text } from '@mantine/core';
import type { AccountImport } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { fileHref } from '../../data/files.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { accountImports } from '../../texts/account-imports.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { Copyable } from '../../ui/code-block.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { RecordLink } from '../../ui/record-link.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { CancelButton, isUnderWay, PROGRESS_MS } from './transfer-parts.js';

const COLUMNS = ['found', 'created', 'updated', 'unchanged', 'left_out'] as const;

export function AccountImportPage() {
  const id = usePathPart('id');
  const found = useRead(['account-imports', id], (api, signal) => api.accountImports.get(id, { signal }), {
    every: PROGRESS_MS,
  });
  return <Shown of={found}>{(one) => <OneAccountImport of={one} />}</Shown>;
}

function OneAccountImport({ of }: { of: AccountImport }) {
  const t = useTexts(accountImports);
  const { canceled } = useTexts(transfers);
  const format = useFormat();
  const mayAct = useRole('admin');
  const { id, source, status } = of;
  const cancel = useAction((api) => api.accountImports.cancel(id), {
    done: canceled,
    changes: ['account-imports'],
    isQuiet: true,
  });
  const title = t.of(t.sources[source], format.time(of.created_at));
  const isDryDone = of.dry_run && status === 'completed';
  return (
    <>
      <PageHead
        title={title}
        badge={<Status of={status} />}
        about={of.dry_run ? t.dry : null}
        back={{ to: '/account-imports', label: t.title }}
        calls={[(api) => api.accountImports.get(id), (api) => api.accountImports.getReport(id)]}
        actions={
          <>
            {mayAct && isDryDone ? (
              <PageButton to="/account-imports/new" search={{ source }}>
                {t.importNow}
              </PageButton>
            ) : null}
            {mayAct && isUnderWay(status) ? (
              <CancelButton
                name={title}
                onConfirm={() => cancel.mutateAsync()}
                call={(api) => api.accountImports.cancel(id)}
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
        {of.paused_reason === null ? null : (
          <Alert color="yellow" title={t.paused}>
            {of.paused_reason}
          </Alert>
        )}
        {isDryDone ? <Alert color="blue">{t.dryDone}</Alert> : null}
        <div className="mk-split">
          <Counts of={of} />
          <ImportFacts of={of} />
        </div>
      </Stack>
    </>
  );
}

function Counts({ of }: { of: AccountImport }) {
  const t = useTexts(accountImports);
  const format = useFormat();
  const place = usePlace();
  return (
    <Card
      title={t.counts}
      actions={
        of.report_lines === 0 ? null : (
          <Button
            component="a"
            size="xs"
            variant="default"
            href={fileHref(place, `/v1/account-imports/${of.id}/report`)}
            download
            leftSection={<Icon name="download" size={14} />}
          >
            {t.report}
          </Button>
        )
      }
    >
      {of.counts.length === 0 ? (
        <Text c="dimmed">{t.nothingYet}</Text>
      ) : (
        <div className="mk-table-frame" role="region" aria-label={t.counts} tabIndex={0}>
          <table className="mk-table">
            <thead>
              <tr>
                <th scope="col">{t.kind}</th>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col" data-align="right">
                    {t[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {of.counts.map((one) => (
                <tr key={one.kind}>
                  <th scope="row">{t.kindNames[one.kind]}</th>
                  {COLUMNS.map((name) => (
                    <td key={name} data-align="right">
                      {format.count(one[name])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {of.report_lines === 0 ? null : (
        <Text size="sm" c="dimmed" mt="sm">
          {t.reportHint(format.count(of.report_lines))}
        </Text>
      )}
    </Card>
  );
}

function ImportFacts({ of }: { of: AccountImport }) {
  const t = useTexts(accountImports);
  const { facts, id, started, finished } = useTexts(transfers);
  return (
    <Card title={facts}>
      <Facts
        isStacked
        of={[
          [id, <Copyable key="id" value={of.id} />],
          [t.kinds, of.kinds.map((kind) => t.kindNames[kind]).join(', ')],
          of.sub_tenant_id === null ? null : [t.subTenant, <RecordLink key="tenant" id={of.sub_tenant_id} />],
          [started, <Time key="at" at={of.created_at} isFull />],
          of.finished_at === null ? null : [finished, <Time key="end" at={of.finished_at} isFull />],
        ]}
      />
    </Card>
  );
}
