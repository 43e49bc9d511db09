// Settings: the organization, its public pages, its workspaces.
import { Tabs, Text } from '@mantine/core';
import type { Organization } from '@posthorn/sdk';
import { useRole } from '../../data/place.js';
import { useRead } from '../../data/read.js';
import { settings } from '../../texts/settings.js';
import { useTexts } from '../../texts/texts.js';
import { useSearchValue } from '../../ui/filters.js';
import { PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { BrandingForm } from './branding.js';
import { OrganizationForm } from './organization.js';
import { Workspaces } from './workspaces.js';

const TABS = ['organization', 'pages', 'workspaces'] as const;

export function SettingsPage() {
  const t = useTexts(settings);
  const mayAct = useRole('admin');
  const [tab, setTab] = useSearchValue('tab', 'organization');
  const organization = useRead(['organization'], (api, signal) => api.organization.get({ signal }));
  const withOrganization = (show: (read: Organization) => React.ReactNode) => (
    <Shown of={organization} lines={8}>
      {show}
    </Shown>
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.organization.get(), (api) => api.workspaces.list()]}
      />
      {mayAct ? null : (
        <Text c="dimmed" mb="sm">
          {t.onlyAdmins}
        </Text>
      )}
      <Tabs value={tab} onChange={(value) => setTab(value ?? 'organization')} keepMounted={false}>
        <Tabs.List mb="md">
          {TABS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t.tabs[value]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="organization">
          {withOrganization((read) => (
            <OrganizationForm key={read.updated_at} organization={read} mayAct={mayAct} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="pages">
          {withOrganization((read) => (
            <BrandingForm key={read.updated_at} organization={read} mayAct={mayAct} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="workspaces">
          <Workspaces mayAct={mayAct} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
