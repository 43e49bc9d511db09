// The page of one sequence: its path with the results of each step, its enrollments, and pausing it.
import { Alert, Button, Group, Menu, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { Sequence, SequenceAnalytics } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { Confirm } from '../../ui/confirm.js';
import { useSearchValue } from '../../ui/filters.js';
import { useFormat } from '../../ui/format.js';
import { PageButton, PageLink, useGo } from '../../ui/links.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { Card, PageHead, Stat } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { EnrollDialog } from './enroll-dialog.js';
import { Enrollments } from './enrollments.js';
import { SequencePath, useStepSentence } from './sequence-path.js';
import { useTriggerText } from './sequences.js';

export function SequencePage() {
  const id = usePathPart('id');
  const found = useRead(['sequences', id], (api, signal) => api.sequences.get(id, { signal }));
  return <Shown of={found}>{(sequence) => <OneSequence sequence={sequence} />}</Shown>;
}

function OneSequence({ sequence }: { sequence: Sequence }) {
  const t = useTexts(sequences);
  const triggerText = useTriggerText();
  const [tab, setTab] = useSearchValue('tab', 'path');
  const { id } = sequence;
  return (
    <>
      <PageHead
        title={sequence.name}
        badge={<Status of={sequence.status} />}
        about={`${t.trigger}: ${triggerText(sequence.trigger)}`}
        back={{ to: '/sequences', label: t.title }}
        calls={[(api) => api.sequences.get(id), (api) => api.sequences.getAnalytics(id)]}
        actions={<Actions sequence={sequence} />}
      />
      <Stack gap="md">
        {sequence.problem === null ? null : (
          <Alert color="red" title={t.problem}>
            {sequence.problem.message}
          </Alert>
        )}
        <InDoubt sequence={sequence} />
        <Tabs value={tab} onChange={(next) => setTab(next ?? 'path')} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="path">{t.tabs.path}</Tabs.Tab>
            <Tabs.Tab value="enrollments">{t.tabs.enrollments}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="path">
            <Results sequence={sequence} />
          </Tabs.Panel>
          <Tabs.Panel value="enrollments">
            <Enrollments id={id} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </>
  );
}

function Actions({ sequence }: { sequence: Sequence }) {
  const t = useTexts(sequences);
  const mayAct = useRole('member');
  const go = useGo();
  const [dialog, setDialog] = useState<'pause' | 'delete' | 'enroll' | null>(null);
  const close = () => setDialog(null);
  const { id } = sequence;
  const changes = ['sequences'];
  const pause = useAction((api) => api.sequences.pause(id), { changes, isQuiet: true });
  const resume = useAction((api) => api.sequences.resume(id), { changes });
  const remove = useAction((api) => api.sequences.delete(id), {
    changes,
    onDone: () => go('/sequences'),
    isQuiet: true,
  });
  if (!mayAct) return null;
  return (
    <>
      <PageButton to={`/sequences/${id}/edit`}>{t.edit}</PageButton>
      <Button variant="default" onClick={() => setDialog('enroll')}>
        {t.enroll}
      </Button>
      {sequence.status === 'active' ? (
        <Button variant="default" onClick={() => setDialog('pause')}>
          {t.pause}
        </Button>
      ) : (
        <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate()}>
          {t.resume}
        </Button>
      )}
      <MoreMenu danger={<Menu.Item onClick={() => setDialog('delete')}>{t.delete}</Menu.Item>} />
      {dialog === 'enroll' ? <EnrollDialog id={id} onClose={close} /> : null}
      <Confirm
        isOpen={dialog === 'pause'}
        onClose={close}
        title={`${t.pause}: ${sequence.name}`}
        action={t.pause}
        isDangerous={false}
        call={(api) => api.sequences.pause(id)}
        onConfirm={() => pause.mutateAsync()}
      >
        {t.pauseAsk}
      </Confirm>
      <Confirm
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`${t.delete}: ${sequence.name}`}
        action={t.delete}
        call={(api) => api.sequences.delete(id)}
        onConfirm={() => remove.mutateAsync()}
      >
        {t.deleteAsk}
      </Confirm>
    </>
  );
}

function InDoubt({ sequence: { id, in_doubt: count } }: { sequence: Sequence }) {
  const t = useTexts(sequences);
  const mayAct = useRole('member');
  const [isOpen, setOpen] = useState(false);
  const resend = useAction((api) => api.sequences.resendInDoubt(id), {
    done: ({ messages }) => t.resent(messages),
    changes: ['sequences', 'messages'],
    isQuiet: true,
  });
  if (count === 0) return null;
  return (
    <Alert color="yellow">
      <Group>
        <Text>{t.inDoubt(count)}</Text>
        <PageLink to="/messages" search={{ sequence_id: id, in_doubt: 'true' }}>
          {t.inDoubtList}
        </PageLink>
        {mayAct ? (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            {t.resendInDoubt}
          </Button>
        ) : null}
      </Group>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t.resendInDoubt}
        action={t.resendInDoubt}
        call={(api) => api.sequences.resendInDoubt(id)}
        onConfirm={() => resend.mutateAsync()}
      >
        {t.resendInDoubtAsk}
      </Confirm>
    </Alert>
  );
}

function Results({ sequence }: { sequence: Sequence }) {
  const t = useTexts(sequences);
  const analytics = useRead(['sequences', sequence.id, 'analytics'], (api, signal) =>
    api.sequences.getAnalytics(sequence.id, { signal }),
  );
  return (
    <div className="mk-split">
      <Stack miw={0}>
        <Shown of={analytics} lines={5}>
          {(found) => (
            <>
              <Figures id={sequence.id} found={found} />
              <StepTable sequence={sequence} found={found} />
              <Ends found={found} />
              <Failed id={sequence.id} count={found.failed} />
            </>
          )}
        </Shown>
        <PageLink to="/messages" search={{ sequence_id: sequence.id }}>
          {t.messages}
        </PageLink>
      </Stack>
      <Card title={t.path}>
        <SequencePath steps={sequence.steps} />
      </Card>
    </div>
  );
}

function Figures({ id, found }: { id: string; found: SequenceAnalytics }) {
  const t = useTexts(sequences).figures;
  const { count } = useFormat();
  const names = ['entered', 'active', 'completed', 'exited', 'canceled', 'failed'] as const;
  return (
    <Group gap="xl">
      {names.map((name) => (
        <Stat
          key={name}
          label={t[name]}
          value={count(found[name])}
          to={{
            to: `/sequences/${id}`,
            search: { tab: 'enrollments', status: name === 'entered' ? undefined : name },
          }}
        />
      ))}
    </Group>
  );
}

function StepTable({ sequence, found }: { sequence: Sequence; found: SequenceAnalytics }) {
  const t = useTexts(sequences);
  const { count } = useFormat();
  const sentence = useStepSentence();
  const columns = ['sent', 'delivered', 'opened', 'clicked', 'replied', 'bounced'] as const;
  return (
    <div className="mk-table-frame" role="region" aria-label={t.steps} tabIndex={0}>
      <table className="mk-table mk-rows">
        <thead>
          <tr>
            <th scope="col">{t.steps}</th>
            <th scope="col" data-align="right">
              {t.at}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" data-align="right">
                {t[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.steps.map((row) => {
            const at = sequence.steps.findIndex(({ id }) => id === row.id);
            const step = sequence.steps[at];
            return (
              <tr key={row.id}>
                <td data-label={t.steps}>
                  {step === undefined ? t.step.removed : `${at + 1}. ${sentence(step, sequence.steps)}`}
                </td>
                <td data-label={t.at} data-align="right">
                  {count(row.active)}
                </td>
                {columns.map((name) => (
                  <td key={name} data-label={t[name]} data-align="right">
                    {row.type === 'send' || row.type === 'removed' ? count(row[name]) : ''}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Failed({ id, count }: { id: string; count: number }) {
  const t = useTexts(sequences);
  const mayAct = useRole('member');
  const retry = useAction((api) => api.sequences.retryFailed(id), {
    done: ({ enrollments }) => t.retried(enrollments),
    changes: ['sequences'],
  });
  if (count === 0) return null;
  return (
    <Alert color="yellow">
      <Group>
        <Text>{t.failed(count)}</Text>
        {mayAct ? (
          <Button variant="default" size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
            {t.retryFailed}
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}

function Ends({ found }: { found: SequenceAnalytics }) {
  const t = useTexts(sequences);
  const { count } = useFormat();
  const rows = [...found.exits, ...found.failures];
  if (rows.length === 0) return null;
  return (
    <Card title={t.ends}>
      <table className="mk-table">
        <thead>
          <tr>
            <th scope="col">{t.reason}</th>
            <th scope="col" data-align="right">
              {t.count}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ reason, enrollments }) => (
            <tr key={reason}>
              <td>{reason.replaceAll('_', ' ')}</td>
              <td data-align="right">{count(enrollments)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
