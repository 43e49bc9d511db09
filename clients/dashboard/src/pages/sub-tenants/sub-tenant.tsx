// The page of one sub-tenant: status, rates and history, DNS records and keys, and audit trail.
import { Stack, Tabs, Text } from '@mantine/core';

import type { MessageSummary, SubTenant, SubTenantAuthentication, SubTenantReputation } from '@mailkeel/sdk';
import { useState } from 'react';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useList, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { dns } from '../../texts/dns.js';
import { subTenants } from '../../texts/sub-tenants.js';
import { useTexts } from '../../texts/texts.js';
import { Copyable } from '../../ui/code-block.js';
import { DkimKeys } from '../../ui/dkim-keys.js';
import { areAllRight, DnsRecords, DriftNotice } from '../../ui/dns-records.js';
import { useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { ShareLinksCard } from '../../ui/share-links.js';
import { Shown } from '../../ui/states.js';
import { MessageStatus } from '../../ui/message-status.js';
import { Status } from '../../ui/status.js';
import { RotateButton, TenantActions } from './actions.js';
import { BulkRulesTab } from './bulk-rules.js';
import { History, Levels, Rates } from './reputation.js';
import { StateNotice } from './state-notice.js';
import { Trail } from './trail.js';

/** The reputation changes by a sweep, of which not every step is an event. */
const LOOK_MS = 30_000;

export function SubTenantPage() {
  const id = usePathPart('id');
  const read = useRead(
    ['sub-tenants', id],
    async (api, signal) => {
      const [tenant, reputation] = await Promise.all([
        api.subTenants.get(id, { signal }),
        api.subTenants.getReputation(id, {}, { signal }),
      ]);
      return { tenant, reputation };
    },
    { every: LOOK_MS },
  );
  return (
    <Shown of={read} lines={8}>
      {({ tenant, reputation }) => <Loaded tenant={tenant} reputation={reputation} />}
    </Shown>
  );
}

function Loaded({ tenant, reputation }: { tenant: SubTenant; reputation: SubTenantReputation }) {
  const t = useTexts(subTenants);
  // The state when the page was opened, so that a person who watches the records stays on them when they become correct.
  const [first] = useState(tenant.verified_at === null ? 'dns' : 'reputation');
  const [tab, setTab] = useSearchValue('tab', first);
  const { id } = tenant;
  return (
    <>
      <PageHead
        title={tenant.name}
        about={tenant.sending_domain}
        badge={<Status of={tenant.status} />}
        back={{ to: '/sub-tenants', label: t.back }}
        calls={[
          (api) => api.subTenants.get(id),
          (api) => api.subTenants.getReputation(id),
          (api) => api.subTenants.getAuthentication(id),
          (api) => api.subTenants.getBulkRules(id),
          (api) => api.subTenants.getAudit(id),
        ]}
        actions={<TenantActions tenant={tenant} isPaused={reputation.paused !== null} />}
      />
      <StateNotice tenant={tenant} reputation={reputation} />
      <Tabs value={tab} onChange={(next) => setTab(next ?? first)} keepMounted={false}>
        <Tabs.List mb="md" aria-label={t.tabs.label}>
          <Tabs.Tab value="reputation">{t.tabs.reputation}</Tabs.Tab>
          <Tabs.Tab value="dns">{t.tabs.dns}</Tabs.Tab>
          <Tabs.Tab value="rules">{t.tabs.rules}</Tabs.Tab>
          <Tabs.Tab value="trail">{t.tabs.trail}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="reputation">
          <div className="mk-split">
            <Stack>
              <Rates of={reputation} />
              <History id={id} />
              <Levels of={reputation} />
            </Stack>
            <Stack className="mk-stacked">
              <TenantFacts tenant={tenant} reputation={reputation} />
              <NewestMessages id={id} />
            </Stack>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="dns">
          <TenantDns tenant={tenant} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <BulkRulesTab id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="trail">
          <Trail id={id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function TenantFacts({ tenant, reputation }: { tenant: SubTenant; reputation: SubTenantReputation }) {
  const t = useTexts(subTenants);
  const frame = useTexts(common);
  const format = useFormat();
  const limit = reputation.throttle_per_hour;
  return (
    <Card title={t.facts}>
      <Facts
        of={[
          [t.id, <Copyable key="id" value={tenant.id} label={t.id} />],
          tenant.external_id === null
            ? null
            : [t.externalId, <Copyable key="ext" value={tenant.external_id} label={t.externalId} />],
          [t.domain, tenant.sending_domain],
          [t.returnPath, tenant.return_path_domain],
          [t.inbound, tenant.inbound_domain],
          [t.tracking, tenant.tracking_domain],
          [t.throttle, limit === null ? t.noLimit : t.perHour(format.count(limit))],
          [t.verifiedAt, <Time key="verified" at={tenant.verified_at} />],
          [frame.created, <Time key="created" at={tenant.created_at} />],
        ]}
      />
    </Card>
  );
}

function NewestMessages({ id }: { id: string }) {
  const t = useTexts(subTenants);
  const list = useList<MessageSummary>(['messages', 'of-sub-tenant', id], (api, _cursor, signal) =>
    api.messages.list({ sub_tenant_id: id, view: 'summary', limit: 5 }, { signal }),
  );
  return (
    <Card
      title={t.newest}
      actions={
        <PageLink to="/messages" search={{ sub_tenant_id: id }} size="sm">
          {t.allMessages}
        </PageLink>
      }
    >
      <Shown of={list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noMessages}
            </Text>
          ) : (
            <Stack gap="xs">
              {rows.map((row) => (
                <div key={row.id}>
                  <PageLink to={`/messages/${row.id}`} className="mk-clip" size="sm">
                    {row.to}
                  </PageLink>
                  <MessageStatus of={row} />{' '}
                  <Text span size="xs" c="dimmed">
                    <Time at={row.created_at} />
                  </Text>
                </div>
              ))}
            </Stack>
          )
        }
      </Shown>
    </Card>
  );
}

function TenantDns({ tenant }: { tenant: SubTenant }) {
  const { id } = tenant;
  const verify = useAction((api) => api.subTenants.verify(id), { changes: ['sub-tenants'] });
  const mayChange = useRole('member');
  const read = useRead(
    ['sub-tenants', id, 'authentication'],
    (to, signal) => to.subTenants.getAuthentication(id, { signal }),
    { every: LOOK_MS },
  );
  const check = async () => {
    const { dns_records: records } = await verify.mutateAsync();
    return areAllRight(records);
  };
  return (
    <Shown of={read} lines={8}>
      {(found) => (
        <Stack>
          <DriftNotice of={found.dns} />
          <DnsRecords
            domain={found.sending_domain}
            records={found.records}
            lastCheckedAt={found.last_checked_at}
            {...(mayChange ? { check } : {})}
          />
          <DkimKeys keys={found.keys} actions={mayChange ? <RotateButton tenant={tenant} /> : null}>
            <KeyMode tenant={tenant} of={found} />
          </DkimKeys>
          <ShareLinksCard
            targetId={id}
            make={(to, days) => to.shareLinks.createForSubTenant(id, { expires_in_days: days })}
          />
        </Stack>
      )}
    </Shown>
  );
}

function KeyMode({ tenant, of }: { tenant: SubTenant; of: SubTenantAuthentication }) {
  const t = useTexts(dns);
  if (tenant.dkim === null || of.keys.length === 0) return null;
  const { mode, rotation } = tenant.dkim;
  return (
    <Text size="sm" mb="sm">
      {t.mode}: {t.modes[mode]}.{' '}
      {rotation === null ? null : `${t.rotation(rotation.selector)} ${t.rotationWaits[rotation.waiting_for]}`}
    </Text>
  );
}
