// Sends a campaign now or at a time, after its recipients were counted and its preflight was read.
import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Campaign, CampaignPreflightCheck } from '@mailkeel/sdk';
import { localOf } from '../../data/local-time.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { campaigns } from '../../texts/campaigns.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { Confirm } from '../../ui/confirm.js';
import { useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, useGo } from '../../ui/links.js';
import { Card, Stat } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { useAudienceTotal } from './audience-total.js';
import { isComplete } from './plan-state.js';
import { usePreflight } from './preflight.js';

export function SendTab({ campaign, isPlanDirty }: { campaign: Campaign; isPlanDirty: boolean }) {
  const texts = useTexts(campaigns);
  const t = texts.send;
  const format = useFormat();
  const { isSandbox } = usePlace();
  const count = useAudienceTotal(campaign.id, { isOff: !isComplete(campaign) });
  return (
    <Stack gap="lg" maw={760}>
      {isPlanDirty ? <Alert color="yellow">{t.unsaved}</Alert> : null}
      {isSandbox ? <Alert color="gray">{t.confirmSandbox}</Alert> : null}
      <div className="mk-grid">
        <Card>
          {isComplete(campaign) ? (
            <Shown of={count} lines={2}>
              {(total) => <Stat label={t.recipients} value={format.count(total)} hint={t.recipientsHint} />}
            </Shown>
          ) : (
            <Stat label={t.recipients} value="–" hint={texts.copies.noneHint} />
          )}
        </Card>
        <PreflightCard id={campaign.id} />
      </div>
      <When campaign={campaign} total={count.data ?? null} />
    </Stack>
  );
}

function PreflightCard({ id }: { id: string }) {
  const t = useTexts(campaigns);
  const found = usePreflight(id);
  return (
    <Card>
      <Shown of={found} lines={2}>
        {({ checks }) => {
          const failed = checks.filter(({ status }) => status === 'fail');
          const warned = checks.filter(({ status }) => status === 'warn');
          return (
            <Stack gap={6}>
              <span className="mk-stat-label">{t.send.preflight}</span>
              <Group gap="xs">
                {failed.length > 0 ? <Status of="fail">{t.send.open(failed.length)}</Status> : null}
                {warned.length > 0 ? <Status of="warn">{t.send.warned(warned.length)}</Status> : null}
                {failed.length + warned.length === 0 ? <Status of="pass">{t.send.clean}</Status> : null}
              </Group>
              <FailedChecks checks={failed} />
              <PageLink to={`/campaigns/${id}`} search={{ tab: 'check' }} size="sm">
                {t.send.look}
              </PageLink>
            </Stack>
          );
        }}
      </Shown>
    </Card>
  );
}

function FailedChecks({ checks }: { checks: readonly CampaignPreflightCheck[] }) {
  const t = useTexts(campaigns).check;
  return checks.map(({ code, message }) => (
    <Text key={code} size="sm">
      {t.codes[code] ?? code}: {t.advice[code] ?? message}
    </Text>
  ));
}

function When({ campaign, total }: { campaign: Campaign; total: number | null }) {
  const t = useTexts(campaigns).send;
  const format = useFormat();
  const go = useGo();
  const maySend = useRole('member');
  const { isSandbox } = usePlace();
  const [mode, setMode] = useState(campaign.scheduled_at === null ? 'now' : 'later');
  const [at, setAt] = useState(localOf(campaign.scheduled_at));
  const [isAsking, setAsking] = useState(false);
  const [needsTime, setNeedsTime] = useState(false);
  const isLater = mode === 'later';
  const params = isLater && at !== '' ? { scheduled_at: new Date(at).toISOString() } : {};
  const send = useAction((api) => api.campaigns.send(campaign.id, params), {
    done: isLater ? t.scheduled : t.sent,
    changes: ['campaigns', 'analytics'],
    onDone: () => go({ to: `/campaigns/${campaign.id}`, search: { tab: isLater ? '' : 'progress' } }),
    isQuiet: true,
  });
  const preflight = usePreflight(campaign.id);
  const failed = preflight.data?.checks.filter(({ status }) => status === 'fail') ?? [];
  const isUnchecked = preflight.data === undefined;
  const hasFailed = failed.length > 0;
  const people = format.count(total ?? 0);
  const submit = isLater ? t.submitLater : t.submitNow(people);
  const submitAnyway = isLater ? t.submitLaterAnyway : t.submitAnyway;
  if (!maySend) return null;
  return (
    <Card title={t.title}>
      <Stack>
        <SegmentedControl
          aria-label={t.when}
          value={mode}
          onChange={setMode}
          data={[
            { value: 'now', label: t.now },
            { value: 'later', label: t.later },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
        {isLater ? (
          <TextInput
            type="datetime-local"
            label={t.at}
            description={t.atHint}
            maw={280}
            value={at}
            error={needsTime && at === '' ? t.needsTime : undefined}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
        ) : null}
        <Group>
          <Button
            disabled={total === null || total === 0}
            loading={preflight.isPending}
            leftSection={<Icon name={isLater ? 'clock' : 'send'} size={16} />}
            onClick={() => {
              setNeedsTime(isLater);
              if (!isLater || at !== '') setAsking(true);
            }}
          >
            {isLater ? (campaign.scheduled_at === null ? t.submitLater : t.move) : t.submitNow(people)}
          </Button>
          <CallsButton calls={[(api) => api.campaigns.send(campaign.id, params)]} />
        </Group>
      </Stack>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={isLater ? t.confirmLaterTitle : t.confirmTitle}
        action={hasFailed ? submitAnyway : submit}
        isDangerous={hasFailed || isUnchecked}
        call={(api) => api.campaigns.send(campaign.id, params)}
        onConfirm={() => send.mutateAsync()}
      >
        {isLater && at !== ''
          ? t.confirmLater(format.time(new Date(at).toISOString()))
          : t.confirm(people, campaign.name)}{' '}
        {isSandbox ? t.confirmSandbox : null}
        {isUnchecked ? (
          <Alert color="yellow" mt="md">
            {t.unchecked}
          </Alert>
        ) : null}
        {hasFailed ? (
          <Alert color="red" mt="md" title={t.open(failed.length)}>
            <FailedChecks checks={failed} />
          </Alert>
        ) : null}
      </Confirm>
    </Card>
  );
}
