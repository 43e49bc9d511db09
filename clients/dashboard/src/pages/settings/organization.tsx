// The organization: its name and postal address, what an unsubscribe ends, and tracking.
import {
  Alert,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { useState } from 'react';
import type { MessageType, Organization, OrganizationUpdate } from '@posthorn/sdk';
import { useSessionRefresh } from '../../app/session.js';
import { useAction } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { settings } from '../../texts/settings.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { Copyable } from '../../ui/code-block.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { PageLink } from '../../ui/links.js';
import { Card, Facts } from '../../ui/page.js';
import { useStatusText } from '../../ui/status.js';

const TYPES: readonly MessageType[] = ['transactional', 'marketing', 'sales'];
const FIELDS = [
  'name',
  'postal_address',
  'unsubscribe_blocks',
  'track_opens',
  'track_clicks',
  'untracked_types',
];

type Given = Required<Omit<OrganizationUpdate, 'branding'>>;

interface PartProps {
  given: Given;
  set: (changes: Partial<Given>) => void;
  errors: Record<string, string | undefined>;
}

export function OrganizationForm({ organization, mayAct }: { organization: Organization; mayAct: boolean }) {
  const { saved } = useTexts(settings);
  const frame = useTexts(common);
  const form = useFormState(FIELDS);
  const refresh = useSessionRefresh();
  const { name, postal_address, unsubscribe_blocks, track_opens, track_clicks, untracked_types } =
    organization;
  const [given, setGiven] = useState<Given>({
    ...{ name, postal_address, unsubscribe_blocks, track_opens, track_clicks, untracked_types },
  });
  const save = useAction((api) => api.organization.update(given), {
    done: saved,
    changes: ['organization'],
    onDone: refresh,
    isQuiet: true,
  });
  const parts: PartProps = {
    given,
    set: (changes) => setGiven((before) => ({ ...before, ...changes })),
    errors: form.errors,
  };
  return (
    <form onSubmit={form.onSubmit(() => save.mutateAsync())}>
      <Fieldset variant="unstyled" m={0} p={0} disabled={!mayAct}>
        <Stack>
          <FormProblem form={form} />
          <div className="ph-grid">
            <Who {...parts} organization={organization} />
            <Tracking {...parts} />
          </div>
          {mayAct ? (
            <Group justify="flex-end">
              <CallsButton calls={[(api) => api.organization.update(given)]} />
              <Button type="submit" loading={form.isBusy}>
                {frame.save}
              </Button>
            </Group>
          ) : null}
        </Stack>
      </Fieldset>
    </form>
  );
}

function Who({ given, set, errors, organization }: PartProps & { organization: Organization }) {
  const { organization: t } = useTexts(settings);
  return (
    <Card title={t.title}>
      <Stack>
        <TextInput
          label={t.name}
          required
          value={given.name}
          error={errors['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Textarea
          label={t.postal}
          description={t.postalHint}
          value={given.postal_address ?? ''}
          error={errors['postal_address']}
          onChange={(event) => {
            const text = event.currentTarget.value;
            set({ postal_address: text.trim() === '' ? null : text });
          }}
        />
        {organization.postal_address === null ? (
          <Alert color="yellow" icon={<Icon name="warning" />}>
            {t.postalMissing}
          </Alert>
        ) : null}
        <Select
          label={t.unsubscribe}
          data={(['all', 'marketing'] as const).map((value) => ({ value, label: t.blocks[value] }))}
          value={given.unsubscribe_blocks}
          error={errors['unsubscribe_blocks']}
          onChange={(value) => set({ unsubscribe_blocks: value ?? 'all' })}
        />
        <Facts
          of={[
            [
              t.plan,
              <Group key="plan" gap="sm" component="span">
                <span>{organization.plan}</span>
                <PageLink to="/usage">{t.planHint}</PageLink>
              </Group>,
            ],
            [t.id, <Copyable key="id" value={organization.id} label={t.id} />],
          ]}
        />
      </Stack>
    </Card>
  );
}

function Tracking({ given, set, errors }: PartProps) {
  const { organization: t } = useTexts(settings);
  const word = useStatusText();
  return (
    <Card title={t.tracking}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t.trackingHint}
        </Text>
        <Switch
          label={t.opens}
          description={t.opensHint}
          checked={given.track_opens}
          error={errors['track_opens']}
          onChange={(event) => set({ track_opens: event.currentTarget.checked })}
        />
        <Switch
          label={t.clicks}
          description={t.clicksHint}
          checked={given.track_clicks}
          error={errors['track_clicks']}
          onChange={(event) => set({ track_clicks: event.currentTarget.checked })}
        />
        <Checkbox.Group
          label={t.untracked}
          value={given.untracked_types}
          error={errors['untracked_types']}
          onChange={(values) => set({ untracked_types: TYPES.filter((type) => values.includes(type)) })}
        >
          <Group mt={6}>
            {TYPES.map((type) => (
              <Checkbox key={type} value={type} label={word(type)} />
            ))}
          </Group>
        </Checkbox.Group>
      </Stack>
    </Card>
  );
}
