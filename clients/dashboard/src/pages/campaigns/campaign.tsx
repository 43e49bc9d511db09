// The page of one campaign: its plan, problems, copies, progress and results.
import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { Campaign } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useRead } from '../../data/read.js';
import { campaigns } from '../../texts/campaigns.js';
import { useTexts } from '../../texts/texts.js';
import { useSearchValue } from '../../ui/filters.js';
import { useFormat } from '../../ui/format.js';
import { PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { CampaignActions } from './campaign-actions.js';
import { CampaignProblem } from './campaign-problem.js';
import { Copies } from './copies.js';
import { Doubt } from './doubt.js';
import { Plan } from './plan.js';
import { Preflight } from './preflight.js';
import { Progress } from './progress.js';
import { Results } from './results.js';
import { SendTab } from './send-tab.js';
import '../../ui/content.css';

/** Milliseconds between reads while copies are sent, because their events are about messages, not the campaign. */
const WATCHED_MS = 2_000;

export function CampaignPage() {
  const id = usePathPart('id');
  const found = useRead(['campaigns', id], (api, signal) => api.campaigns.get(id, { signal }), {
    keepsLast: true,
  });
  return <Shown of={found}>{(campaign) => <OneCampaign key={id} campaign={campaign} />}</Shown>;
}

/** Whether its plan can still be changed. */
function isOpen({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'draft' || status === 'scheduled';
}

function tabsOf(campaign: Campaign) {
  if (isOpen(campaign)) return ['plan', 'check', 'copies', 'send'] as const;
  const { in_doubt: inDoubt } = campaign.stats;
  return inDoubt > 0
    ? (['progress', 'results', 'doubt', 'copies', 'plan'] as const)
    : (['progress', 'results', 'copies', 'plan'] as const);
}

function firstTab({ status }: Campaign): string {
  if (status === 'sent') return 'results';
  return status === 'draft' || status === 'scheduled' ? 'plan' : 'progress';
}

function OneCampaign({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaigns);
  const format = useFormat();
  const { id, status } = campaign;
  const tabs = tabsOf(campaign);
  const [wanted, setTab] = useSearchValue('tab', '');
  const [isDirty, setDirty] = useState(false);
  const tab = tabs.find((one) => one === wanted) ?? firstTab(campaign);
  useRead(['campaigns', id], (api, signal) => api.campaigns.get(id, { signal }), {
    every: status === 'sending' ? WATCHED_MS : false,
    keepsLast: true,
  });
  return (
    <>
      <PageHead
        title={campaign.name}
        badge={<Status of={status} />}
        about={
          status === 'scheduled' && campaign.scheduled_at !== null
            ? `${t.send.scheduledFor} ${format.time(campaign.scheduled_at)}. ${t.states.scheduled}`
            : t.states[status]
        }
        back={{ to: '/campaigns', label: t.back }}
        actions={<CampaignActions campaign={campaign} onSend={() => setTab('send')} tab={tab} />}
        calls={[(api) => api.campaigns.get(id), ...callsOf(id, tab)]}
      />
      <CampaignProblem campaign={campaign} />
      <Tabs
        value={tab}
        onChange={(next) => setTab(next ?? '')}
        keepMounted={false}
        keepMountedMode="display-none"
      >
        <Tabs.List mb="lg">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* Stays, so that what is not saved is there when one comes back from the preflight. */}
        <Tabs.Panel value="plan" keepMounted>
          <Plan campaign={campaign} onDirty={setDirty} />
        </Tabs.Panel>
        <Tabs.Panel value="check">
          <Preflight campaign={campaign} />
        </Tabs.Panel>
        <Tabs.Panel value="copies">
          <Copies campaign={campaign} />
        </Tabs.Panel>
        <Tabs.Panel value="send">
          <SendTab campaign={campaign} isPlanDirty={isDirty} />
        </Tabs.Panel>
        <Tabs.Panel value="progress">
          <Progress campaign={campaign} />
        </Tabs.Panel>
        <Tabs.Panel value="results">
          <Results campaign={campaign} />
        </Tabs.Panel>
        <Tabs.Panel value="doubt">
          <Doubt campaign={campaign} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function callsOf(id: string, tab: string): Parameters<typeof PageHead>[0]['calls'] & object {
  switch (tab) {
    case 'check':
      return [(api) => api.campaigns.preflight(id)];
    case 'copies':
      return [(api) => api.campaigns.preview(id), (api) => api.campaigns.listOverrides(id)];
    case 'progress':
      return [(api) => api.campaigns.getAnalytics(id), (api) => api.campaigns.listRecipients(id)];
    case 'results':
      return [(api) => api.campaigns.getAnalytics(id)];
    case 'doubt':
      return [(api) => api.campaigns.listRecipients(id, { in_doubt: true })];
    default:
      return [];
  }
}
