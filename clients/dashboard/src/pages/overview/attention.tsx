// Lists problems that need attention, from the API, each with a link to the page that helps.
import { Text } from '@mantine/core';
import type { QueueDestination, SubTenant } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { overview, type OverviewTexts } from '../../texts/overview.js';
import { useTexts, type Translated } from '../../texts/texts.js';
import { useIsOperator } from '../../ui/for-operator.js';
import { useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, type PageAddress } from '../../ui/links.js';
import { Card } from '../../ui/page.js';
import { Loading } from '../../ui/states.js';
import './overview.css';

interface Item extends PageAddress {
  key: string;
  tone: 'bad' | 'warn';
  text: string;
}

interface Words {
  t: OverviewTexts | Translated<OverviewTexts>;
  count: (value: number) => string;
}

/** Number of objects of each kind that are read. */
const LOOKED_AT = 100;
/** Number of problems shown. */
const SHOWN = 8;
const LOOK_MS = 60_000;

export function Attention() {
  const t = useTexts(overview);
  const { count } = useFormat();
  const isOperator = useIsOperator();
  const reads = [useHost({ t, count }), useTenants({ t, count }), useSenders({ t, count })];
  const more = [useWebhooks({ t, count }), useDestinations({ t, count })];
  const all = [...reads, ...more];
  const items = all
    .flatMap(({ items: found }) => found)
    .toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
  if (items.length === 0 && all.some(({ isPending }) => isPending)) return <Loading lines={2} />;
  const isPartly = all.some(({ isError }) => isError);
  if (items.length === 0) {
    const sentence = isOperator === true ? t.attentionNone : t.attentionNoneHere;
    return (
      <p className="mk-calm" data-partly={isPartly} role="status">
        <Icon name={isPartly ? 'warning' : 'check'} size={16} /> {isPartly ? t.attentionUnknown : sentence}
      </p>
    );
  }
  return (
    <Card title={t.attention}>
      <ul className="mk-attention">
        {items.slice(0, SHOWN).map(({ key, tone, text, to, search }) => (
          <li key={key} data-tone={tone}>
            <Icon name={tone === 'bad' ? 'cross' : 'warning'} size={16} />
            <PageLink to={to} {...(search ? { search } : {})}>
              <bdi>{text}</bdi>
            </PageLink>
          </li>
        ))}
      </ul>
      {isPartly ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t.attentionUnknown}
        </Text>
      ) : null}
      {items.length > SHOWN ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t.more(count(items.length - SHOWN))}
        </Text>
      ) : null}
    </Card>
  );
}

interface Found {
  items: Item[];
  isPending: boolean;
  /** Something could not be read, so an empty list is not conclusive. */
  isError: boolean;
}

/** For the operator only, because others may not see facts about the machine. */
function useHost({ t, count }: Words): Found {
  const isOperator = useIsOperator();
  const isOff = isOperator !== true;
  const checks = useRead(['health'], (api, signal) => api.health.getChecks({ signal }), {
    every: LOOK_MS,
    isOff,
  });
  const sources = useRead(
    ['sources', 'closed'],
    async (api, signal) => (await api.sources.list({ limit: LOOKED_AT }, { signal })).data,
    { every: LOOK_MS, isOff },
  );
  const numberOf = (status: string) => checks.data?.data.filter((one) => one.status === status).length ?? 0;
  const fails = numberOf('fail');
  const warns = numberOf('warn');
  const health = { to: '/health', search: { show: 'open' } };
  return {
    isPending: isOperator === undefined || (isOperator && checks.isPending),
    isError: checks.isError || sources.isError,
    items: [
      ...(checks.data?.checked_at === null
        ? [{ key: 'unchecked', tone: 'warn' as const, text: t.notChecked, to: '/health' }]
        : []),
      ...(fails === 0
        ? []
        : [{ key: 'fail', tone: 'bad' as const, text: t.checksFail(count(fails)), ...health }]),
      ...(warns === 0
        ? []
        : [{ key: 'warn', tone: 'warn' as const, text: t.checksWarn(count(warns)), ...health }]),
      ...(sources.data ?? [])
        .filter(({ state }) => state === 'closed')
        .map(({ name }) => ({
          ...{ key: `source ${name}`, tone: 'bad' as const, text: t.sourceClosed(name) },
          ...{ to: '/queue', search: { tab: 'sources' } },
        })),
    ],
  };
}

function useTenants({ t }: Words): Found {
  const read = useRead(['sub-tenants', 'attention'], async (api, signal) => {
    const [judged, suspended] = await Promise.all([
      api.subTenants.list(
        { reputation: ['warned', 'throttled', 'paused'], limit: LOOKED_AT, order: '-complaint_rate' },
        { signal },
      ),
      api.subTenants.list({ status: ['suspended'], limit: LOOKED_AT }, { signal }),
    ]);
    return { judged: judged.data, suspended: suspended.data };
  });
  const linkTo = ({ id }: SubTenant) => ({ to: `/sub-tenants/${id}` });
  const judged = (read.data?.judged ?? []).flatMap((tenant): Item[] => {
    const { state } = tenant.reputation;
    if (state === 'ok') return [];
    const tone = state === 'warned' ? 'warn' : 'bad';
    return [{ key: `tenant ${tenant.id}`, tone, text: t.tenant[state](tenant.name), ...linkTo(tenant) }];
  });
  const suspended = (read.data?.suspended ?? []).map((tenant): Item => ({
    ...{ key: `dns ${tenant.id}`, tone: 'bad', text: t.tenant.suspended(tenant.name), ...linkTo(tenant) },
    search: { tab: 'dns' },
  }));
  return { isPending: read.isPending, isError: read.isError, items: [...judged, ...suspended] };
}

function useSenders({ t }: Words): Found {
  const read = useRead(
    ['senders', 'attention'],
    async (api, signal) => (await api.senders.list({ limit: LOOKED_AT }, { signal })).data,
  );
  const items = (read.data ?? []).flatMap((sender): Item[] => {
    const name = sender.email ?? sender.domain;
    const link = { key: `sender ${sender.id}`, to: `/senders/${sender.id}` };
    if (sender.status === 'suspended') return [{ ...link, tone: 'bad', text: t.senderSuspended(name) }];
    if (sender.status === 'failed') return [{ ...link, tone: 'warn', text: t.senderFailed(name) }];
    return [];
  });
  return { isPending: read.isPending, isError: read.isError, items };
}

function useWebhooks({ t }: Words): Found {
  const read = useRead(
    ['webhook-endpoints', 'attention'],
    async (api, signal) => (await api.webhookEndpoints.list({ limit: LOOKED_AT }, { signal })).data,
    { every: LOOK_MS },
  );
  const items = (read.data ?? [])
    .filter(({ status }) => status === 'disabled')
    .map((endpoint): Item => ({
      key: `webhook ${endpoint.id}`,
      tone: 'bad',
      text: t.webhook(endpoint.url),
      to: `/webhooks/${endpoint.id}`,
    }));
  return { isPending: read.isPending, isError: read.isError, items };
}

/** Limits end automatically within minutes, and do not need attention. */
const TROUBLED = ['deferred', 'suspended', 'paused'] as const;

function isTroubled(state: QueueDestination['state']): state is (typeof TROUBLED)[number] {
  return TROUBLED.some((one) => one === state);
}

function useDestinations({ t, count }: Words): Found {
  const read = useRead(
    ['queue', 'attention'],
    async (api, signal) => (await api.queue.listDestinations({ limit: 20 }, { signal })).data,
    { every: LOOK_MS },
  );
  const items = (read.data ?? []).flatMap(({ domain, state, depth }): Item[] => {
    if (!isTroubled(state)) return [];
    const text = t.destination[state](domain, count(depth));
    const tone = state === 'suspended' ? 'bad' : 'warn';
    return [{ key: `destination ${domain}`, tone, text, to: `/queue/${encodeURIComponent(domain)}` }];
  });
  return { isPending: read.isPending, isError: read.isError, items };
}
