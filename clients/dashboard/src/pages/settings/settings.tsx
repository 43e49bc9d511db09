// The settings page: the organization, its public pages, and this workspace.
import { Alert, Stack } from '@mantine/core';
import { usePlace, useRole } from '../../data/place.js';
import { useRead } from '../../data/read.js';
import { organization } from '../../texts/organization.js';
import { useTexts } from '../../texts/texts.js';
import { PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { BrandingForm } from './branding-form.js';
import { MailForm, OrganizationForm } from './organization-forms.js';
import { WorkspaceForm, Workspaces } from './workspaces.js';

export function SettingsPage() {
  const t = useTexts(organization).settings;
  const { workspace } = usePlace();
  const mayAct = useRole('admin');
  const found = useRead(['organization'], (api, signal) => api.organization.get({ signal }));
  const own = useRead(['workspaces', workspace.id], (api, signal) =>
    api.workspaces.get(workspace.id, { signal }),
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.organization.get(), (api) => api.workspaces.list()]}
      />
      <Stack gap="lg" maw={820}>
        {mayAct ? null : <Alert>{t.onlyAdmins}</Alert>}
        <Shown of={found} lines={8}>
          {(one) => (
            <>
              <OrganizationForm of={one} mayAct={mayAct} />
              <MailForm of={one} mayAct={mayAct} />
              <BrandingForm organization={one} mayAct={mayAct} />
            </>
          )}
        </Shown>
        <Shown of={own} lines={4}>
          {(one) => <WorkspaceForm key={one.id} of={one} mayAct={mayAct} />}
        </Shown>
        <Workspaces mayAct={mayAct} />
      </Stack>
    </>
  );
}
