// The first page of a new server: a list of steps, which are checked against the actual state.
import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import type { Mailkeel, Sender } from '@mailkeel/sdk';
import { useState, type ReactNode } from 'react';
import { useRole } from '../../data/place.js';
import { useRead } from '../../data/read.js';
import { getStarted } from '../../texts/get-started.js';
import { useTexts } from '../../texts/texts.js';
import { Copyable } from '../../ui/code-block.js';
import { Icon } from '../../ui/icon.js';
import { PageButton } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { SendStep } from './send-step.js';
import { takeFirstKeys, type FirstKeys } from '../../data/first-keys.js';

/** The organization's initial name. */
const NAME_OF_FIRST_START = 'My organization';
const MOST_SENDERS = 500;
/** Steps may have been completed in another tab a moment ago. */
const ON_FOCUS = { readsOnFocus: true };

interface Step {
  key: string;
  title: string;
  hint: string;
  isDone: boolean;
  /** The detected state. */
  found: string | null;
  action: ReactNode;
}

export function GetStartedPage() {
  const t = useTexts(getStarted);
  const [keys, setKeys] = useState<FirstKeys | null>(takeFirstKeys);
  const sent = useRead(
    ['sandbox', 'first'],
    (api) => api.withEnvironment('test').messages.list({ view: 'summary', limit: 1 }),
    ON_FOCUS,
  );
  const hasSent = (sent.data?.data.length ?? 0) > 0;
  const steps = useSteps();
  const done = steps.filter(({ isDone }) => isDone).length + (hasSent ? 1 : 0);
  const all = steps.length + 1;
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[
          (api) =>
            api.messages.create({
              to: 'delivered@sandbox.example',
              subject: t.send.subject,
              text: t.send.text,
            }),
        ]}
      />
      <Stack maw={860} gap="md">
        <Group gap="sm" wrap="nowrap">
          <Progress value={(done / all) * 100} style={{ flex: 1 }} size="sm" aria-label={t.done(done, all)} />
          <Text size="sm" c="dimmed">
            {t.done(done, all)}
          </Text>
        </Group>
        {keys === null ? null : <Keys keys={keys} onKept={() => setKeys(null)} />}
        <StepCard title={t.send.title} hint={t.send.hint} isDone={hasSent}>
          <SendStep testKey={keys?.test_key ?? null} />
        </StepCard>
        {steps.map(({ key, title, hint, isDone, found, action }) => (
          <StepCard
            key={key}
            title={title}
            hint={found ?? hint}
            isDone={isDone}
            action={isDone ? null : action}
          />
        ))}
      </Stack>
    </>
  );
}

/** Reads the newest domain and the newest verified one among the newest senders. */
async function readDomains(
  api: Mailkeel,
): Promise<{ newest: Sender | undefined; verified: Sender | undefined }> {
  const domains: Sender[] = [];
  let read = 0;
  for await (const sender of api.senders.list({ limit: 100 })) {
    if (sender.kind === 'domain') domains.push(sender);
    if (domains.at(-1)?.status === 'verified' || ++read === MOST_SENDERS) break;
  }
  return { newest: domains[0], verified: domains.find(({ status }) => status === 'verified') };
}

function useSteps(): Step[] {
  const t = useTexts(getStarted);
  const seesHost = useRole('admin');
  const domains = useRead(['senders', 'domains'], readDomains, ON_FOCUS);
  const seesKeys = useRole('admin');
  const keys = useRead(['api-keys', 'all'], (api) => api.apiKeys.list(), { ...ON_FOCUS, isOff: !seesKeys });
  const hooks = useRead(['webhooks', 'first'], (api) => api.webhookEndpoints.list({ limit: 1 }), ON_FOCUS);
  const tenants = useRead(['sub-tenants', 'first'], (api) => api.subTenants.list({ limit: 1 }), ON_FOCUS);
  const system = useRead(['system'], (api) => api.system.get(), ON_FOCUS);
  const company = useRead(['organization'], (api) => api.organization.get(), ON_FOCUS);
  const health = useRead(['health'], (api) => api.health.getChecks(), { ...ON_FOCUS, isOff: !seesHost });
  const { verified, newest: pending } = domains.data ?? {};
  const hasLiveKey = (keys.data?.data ?? []).some(({ mode }) => mode === 'live');
  const hasHook = (hooks.data?.data.length ?? 0) > 0;
  const hasTenant = (tenants.data?.data.length ?? 0) > 0;
  const failing = (health.data?.data ?? []).filter(({ status }) => status === 'fail').length;
  const unnamed = system.data?.missing_settings ?? [];
  const companyName = company.data?.name ?? null;
  const isCompanyNamed = companyName !== null && companyName !== NAME_OF_FIRST_START;
  const areChecksGood = health.data !== undefined && ['pass', 'warn'].includes(health.data.status);
  const isHostGood = areChecksGood && unnamed.length === 0;
  const host =
    unnamed.length > 0
      ? t.host.unnamed(unnamed.join(', '))
      : !seesHost
        ? t.host.forOwners
        : areChecksGood
          ? t.host.good
          : failing > 0
            ? t.host.bad(failing)
            : health.data === undefined
              ? null
              : t.host.unknown;
  const step = (
    key: string,
    title: string,
    hint: string,
    isDone: boolean,
    found: string | null,
    action: ReactNode,
  ) => ({
    ...{ key, title, hint, isDone, found, action },
  });
  return [
    step(
      'organization',
      t.organization.title,
      t.organization.hint,
      isCompanyNamed,
      isCompanyNamed ? companyName : null,
      <PageButton to="/settings" variant="default">
        {t.organization.action}
      </PageButton>,
    ),
    step(
      'host',
      t.host.title,
      t.host.hint,
      isHostGood,
      host,
      seesHost ? (
        <PageButton to="/health" variant="default">
          {t.host.action}
        </PageButton>
      ) : null,
    ),
    step(
      'domain',
      t.domain.title,
      t.domain.hint,
      verified !== undefined,
      verified ? t.domain.done(verified.domain) : pending ? t.domain.pending(pending.domain) : null,
      <PageButton
        {...(pending ? { to: `/senders/${pending.id}` } : { to: '/senders', search: { new: 'domain' } })}
        variant="default"
      >
        {t.domain.action}
      </PageButton>,
    ),
    step(
      'key',
      t.key.title,
      t.key.hint,
      hasLiveKey,
      hasLiveKey ? t.key.done : null,
      <PageButton to="/api-keys" variant="default">
        {t.key.action}
      </PageButton>,
    ),
    step(
      'webhook',
      t.webhook.title,
      t.webhook.hint,
      hasHook,
      hasHook ? t.webhook.done : null,
      <PageButton to="/webhooks" search={{ new: 'endpoint' }} variant="default">
        {t.webhook.action}
      </PageButton>,
    ),
    step(
      'customer',
      t.customer.title,
      t.customer.hint,
      hasTenant,
      hasTenant ? t.customer.done : null,
      <PageButton to="/sub-tenants" search={{ new: 'sub_tenant' }} variant="default">
        {t.customer.action}
      </PageButton>,
    ),
  ];
}

function StepCard({
  title,
  hint,
  isDone,
  action,
  children,
}: {
  title: string;
  hint: string;
  isDone: boolean;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const t = useTexts(getStarted);
  return (
    <section className="mk-card mk-step" data-done={isDone}>
      <span className="mk-step-sign" role="img" aria-label={isDone ? t.isDone : t.isOpen}>
        {isDone ? <Icon name="check" size={15} /> : null}
      </span>
      <div className="mk-step-body">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div style={{ flex: '1 1 18rem', minWidth: 0 }}>
            <Title order={2}>{title}</Title>
            <Text c="dimmed">{hint}</Text>
          </div>
          {action}
        </Group>
        {children}
      </div>
    </section>
  );
}

function Keys({ keys, onKept }: { keys: FirstKeys; onKept: () => void }) {
  const t = useTexts(getStarted).keys;
  return (
    <Alert color="yellow" title={t.title} icon={<Icon name="key" />}>
      <Stack gap="xs">
        <Text size="sm">{t.hint}</Text>
        <div>
          {t.test}: <Copyable value={keys.test_key} label={t.test} />
        </div>
        <div>
          {t.live}: <Copyable value={keys.live_key} label={t.live} />
        </div>
        <div>
          <Button variant="default" onClick={onKept}>
            {t.gone}
          </Button>
        </div>
      </Stack>
    </Alert>
  );
}
