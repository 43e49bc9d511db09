// The page of one endpoint: its health, its deliveries with the exact request bodies, and replays.
import { Alert, Button, List, Menu, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpoint } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { events as eventTexts } from '../../texts/events.js';
import { useTexts } from '../../texts/texts.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { webhooks } from '../../texts/webhooks.js';
import { Copyable } from '../../ui/code-block.js';
import { Confirm } from '../../ui/confirm.js';
import { useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, useGo } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { EndpointDeliveries } from './deliveries.js';
import { EditEndpoint, ReplayEvents, RotateSecret, TestEndpoint } from './endpoint-dialogs.js';
import { isDefaultSet } from './event-sets.js';
import { Replays } from './replays.js';
import { RecordLink } from '../../ui/record-link.js';
import { failingEvents } from './failing-events.js';

type Dialog = 'edit' | 'rotate' | 'test' | 'replay' | 'disable' | 'delete' | null;

export function WebhookPage() {
  const id = usePathPart('id');
  const found = useRead(['webhook-endpoints', id], (api, signal) => api.webhookEndpoints.get(id, { signal }));
  return <Shown of={found}>{(endpoint) => <OneEndpoint endpoint={endpoint} />}</Shown>;
}

function OneEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTexts(webhooks);
  const [tab, setTab] = useSearchValue('tab', 'deliveries');
  const [dialog, setDialog] = useState<Dialog>(null);
  const { id } = endpoint;
  return (
    <>
      <PageHead
        title={endpoint.description ?? endpoint.url}
        badge={<Status of={endpoint.status} />}
        about={endpoint.description === null ? null : <span className="mk-break">{endpoint.url}</span>}
        back={{ to: '/webhooks', label: t.title }}
        actions={<EndpointActions endpoint={endpoint} open={setDialog} />}
        calls={[(api) => api.webhookEndpoints.get(id), (api) => api.webhookEndpoints.listDeliveries(id)]}
      />
      <Dialogs
        endpoint={endpoint}
        dialog={dialog}
        close={() => setDialog(null)}
        onReplay={() => setTab('replays')}
      />
      <Stack gap="lg">
        {endpoint.status === 'disabled' ? <Disabled endpoint={endpoint} /> : null}
        <FailingEvents id={id} />
        <div className="mk-split">
          <Tabs value={tab} onChange={(next) => setTab(next ?? 'deliveries')} keepMounted={false} miw={0}>
            <Tabs.List mb="md">
              <Tabs.Tab value="deliveries">{t.tabs.deliveries}</Tabs.Tab>
              <Tabs.Tab value="replays">{t.tabs.replays}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="deliveries">
              <EndpointDeliveries id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="replays">
              <Replays id={id} />
            </Tabs.Panel>
          </Tabs>
          <EndpointFacts endpoint={endpoint} />
        </div>
      </Stack>
    </>
  );
}

function useEnable(id: string) {
  const t = useTexts(webhooks);
  return useAction((api) => api.webhookEndpoints.update(id, { status: 'enabled' }), {
    done: t.enabled,
    changes: ['webhook-endpoints'],
  });
}

function Disabled({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTexts(webhooks);
  const mayAct = useRole('member');
  const enable = useEnable(endpoint.id);
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={t.disabledTitle}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {endpoint.disabled_reason ?? t.disabledByHand} {t.disabledHint}
        </Text>
        {mayAct ? (
          <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate()}>
            {t.enable}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

const READ = 100;
const READ_AGAIN_MS = 30_000;

/** Names the types of events that the receiver refuses. */
function FailingEvents({ id }: { id: string }) {
  const t = useTexts(webhooks);
  const { names } = useTexts(eventTexts);
  const { count } = useFormat();
  const found = useRead(
    ['deliveries', id, 'failing'],
    async (api, signal) => {
      const newest = (status: 'failed' | 'succeeded') =>
        api.webhookEndpoints.listDeliveries(id, { status: [status], limit: READ }, { signal });
      const [failed, succeeded] = await Promise.all([newest('failed'), newest('succeeded')]);
      return failingEvents(failed.data, succeeded.data);
    },
    { every: READ_AGAIN_MS },
  );
  const failing = found.data ?? [];
  if (failing.length === 0) return null;
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={t.failingTitle}>
      <List size="sm">
        {failing.map(({ event, failures, answer }) => (
          <List.Item key={event}>
            <PageLink to={`/webhooks/${id}`} search={{ event, status: 'failed' }} size="sm">
              {names[event]}
            </PageLink>
            {': '}
            {t.failing(count(failures), answer)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function EndpointActions({ endpoint, open }: { endpoint: WebhookEndpoint; open: (dialog: Dialog) => void }) {
  const t = useTexts(webhooks);
  const mayAct = useRole('member');
  if (!mayAct) return null;
  return (
    <>
      <Button onClick={() => open('test')}>{t.test}</Button>
      <Button variant="default" onClick={() => open('replay')}>
        {t.replay}
      </Button>
      <Button variant="default" onClick={() => open('edit')}>
        {t.edit}
      </Button>
      <MoreMenu danger={<Menu.Item onClick={() => open('delete')}>{t.remove}</Menu.Item>}>
        <Menu.Item onClick={() => open('rotate')}>{t.rotate}</Menu.Item>
        {endpoint.status === 'enabled' ? (
          <Menu.Item onClick={() => open('disable')}>{t.disable}</Menu.Item>
        ) : null}
      </MoreMenu>
    </>
  );
}

function Dialogs({
  endpoint,
  dialog,
  close,
  onReplay,
}: {
  endpoint: WebhookEndpoint;
  dialog: Dialog;
  close: () => void;
  onReplay: () => void;
}) {
  const t = useTexts(webhooks);
  const go = useGo();
  const { id } = endpoint;
  const disable = useAction((api) => api.webhookEndpoints.update(id, { status: 'disabled' }), {
    changes: ['webhook-endpoints'],
    isQuiet: true,
  });
  const remove = useAction((api) => api.webhookEndpoints.delete(id), {
    done: t.removed,
    onDone: () => go('/webhooks'),
    changes: ['webhook-endpoints'],
    isQuiet: true,
  });
  return (
    <>
      {dialog === 'edit' ? <EditEndpoint endpoint={endpoint} onClose={close} /> : null}
      {dialog === 'rotate' ? <RotateSecret id={id} onClose={close} /> : null}
      {dialog === 'test' ? <TestEndpoint endpoint={endpoint} onClose={close} /> : null}
      {dialog === 'replay' ? <ReplayEvents id={id} onClose={close} onDone={onReplay} /> : null}
      <Confirm
        isOpen={dialog === 'disable'}
        onClose={close}
        title={t.disable}
        action={t.disable}
        onConfirm={() => disable.mutateAsync()}
        call={(api) => api.webhookEndpoints.update(id, { status: 'disabled' })}
      >
        {t.disableHint}
      </Confirm>
      <Confirm
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`${t.remove}: ${endpoint.url}`}
        action={t.remove}
        onConfirm={() => remove.mutateAsync()}
        call={(api) => api.webhookEndpoints.delete(id)}
      >
        {t.removeHint}
      </Confirm>
    </>
  );
}

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTexts(webhooks);
  const { names } = useTexts(eventTexts);
  const frame = useTexts(common);
  const format = useFormat();
  const { public_key: publicKey, previous_secret_until: until, sub_tenant_id: tenant } = endpoint;
  const { inbox_ids: inboxes } = endpoint;
  return (
    <Card title={t.facts}>
      <Facts
        isStacked
        of={[
          [t.id, <Copyable key="id" value={endpoint.id} />],
          [
            t.events,
            isDefaultSet(endpoint.events) ? (
              t.chooseDefault
            ) : (
              <Stack key="events" gap={0}>
                {endpoint.events.map((name) => (
                  <Text key={name} size="sm">
                    {names[name]}
                  </Text>
                ))}
              </Stack>
            ),
          ],
          inboxes === null
            ? null
            : [
                t.inboxes,
                <Stack key="inboxes" gap={0}>
                  {inboxes.map((id) => (
                    <PageLink key={id} to="/threads" search={{ inbox_id: id }} size="sm">
                      <RecordLink id={id} />
                    </PageLink>
                  ))}
                </Stack>,
              ],
          [t.format, t.formats[endpoint.format]],
          [t.payload, t.payloads[endpoint.payload]],
          tenant === null ? null : [t.subTenant, <RecordLink key="tenant" id={tenant} />],
          endpoint.consecutive_failures === 0
            ? null
            : [t.recent, t.failures(format.count(endpoint.consecutive_failures))],
          publicKey === null
            ? null
            : [t.publicKey, <Copyable key="key" value={publicKey} label={t.publicKey} />],
          until === null ? null : [t.previousSecret, <Time key="until" at={until} isFull />],
          [frame.created, <Time key="at" at={endpoint.created_at} isFull />],
        ]}
      />
    </Card>
  );
}
