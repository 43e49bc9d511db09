// The fields of an endpoint, with its events picked in groups.
import { Checkbox, Fieldset, Group, Radio, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { WebhookEventName, WebhookFormat, WebhookPayload } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { eventNames } from '../../texts/event-names.js';
import { useTexts } from '../../texts/texts.js';
import { webhooks } from '../../texts/webhooks.js';
import { EVENT_GROUPS } from './event-sets.js';
import { SubTenantPicker } from '../../ui/pickers.js';
import { SearchMultiSelect } from '../../ui/search-select.js';

const FORMATS: readonly WebhookFormat[] = [
  'service',
  'standard',
  'resend',
  'postmark',
  'sendgrid',
  'mailgun',
  'ses',
];
/** Inboxes that are listed to choose from. */
const CHOICES = 100;
const PAYLOADS: readonly WebhookPayload[] = ['thin', 'full'];

export interface EndpointForm {
  url: string;
  description: string;
  isUsual: boolean;
  events: readonly WebhookEventName[];
  /** IDs; none for all received mail. */
  inboxes: string[];
  format: WebhookFormat;
  payload: WebhookPayload;
  subTenant: string;
}

interface FieldsProps {
  values: EndpointForm;
  set: (changes: Partial<EndpointForm>) => void;
  errors: Record<string, string | undefined>;
  isNew?: boolean;
}

export function EndpointFields({ values, set, errors, isNew = false }: FieldsProps) {
  const t = useTexts(webhooks);
  return (
    <>
      <TextInput
        label={t.url}
        description={t.urlHint}
        type="url"
        required
        value={values.url}
        error={errors['url']}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <TextInput
        label={t.description}
        description={t.descriptionHint}
        value={values.description}
        error={errors['description']}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <EventFields values={values} set={set} errors={errors} />
      <InboxField values={values} set={set} errors={errors} />
      <Select
        label={t.format}
        data={FORMATS.map((value) => ({ value, label: t.formats[value] }))}
        value={values.format}
        error={errors['format']}
        onChange={(value) => set({ format: value ?? 'service' })}
      />
      <Select
        label={t.payload}
        description={t.payloadHint}
        data={PAYLOADS.map((value) => ({ value, label: t.payloads[value] }))}
        value={values.payload}
        error={errors['payload']}
        onChange={(value) => set({ payload: value ?? 'thin' })}
      />
      {isNew ? (
        <SubTenantPicker
          label={t.subTenant}
          description={t.subTenantHint}
          value={values.subTenant === '' ? null : values.subTenant}
          error={errors['sub_tenant_id']}
          onChange={(id) => set({ subTenant: id ?? '' })}
        />
      ) : null}
    </>
  );
}

/** Offered if the environment has inboxes. A chosen inbox that was deleted keeps its ID as its name. */
function InboxField({ values: { inboxes }, set, errors }: FieldsProps) {
  const t = useTexts(webhooks);
  const { data = [] } = useRead(
    ['inboxes', 'choices'],
    async (api, signal) => (await api.inboxes.list({ limit: CHOICES }, { signal })).data,
  );
  const known = data.map(({ id, name, address }) => ({
    value: id,
    label: name === null ? address : `${name} (${address})`,
  }));
  const others = inboxes.filter((id) => !data.some((inbox) => inbox.id === id));
  const choices = [...known, ...others.map((id) => ({ value: id, label: id }))];
  if (choices.length === 0) return null;
  return (
    <SearchMultiSelect
      label={t.limitInboxes}
      description={t.limitInboxesHint}
      data={choices}
      value={inboxes}
      error={errors['inbox_ids']}
      onChange={(chosen) => set({ inboxes: chosen })}
    />
  );
}

function EventFields({ values: { isUsual, events }, set, errors }: FieldsProps) {
  const t = useTexts(webhooks);
  return (
    <>
      <Radio.Group
        label={t.choose}
        value={isUsual ? 'usual' : 'own'}
        error={errors['events']}
        onChange={(value) => set({ isUsual: value === 'usual' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="usual" label={t.chooseDefault} />
          <Radio value="own" label={t.chooseOwn} />
        </Stack>
      </Radio.Group>
      {isUsual ? null : (
        <Stack gap="sm">
          {EVENT_GROUPS.map(({ group, names }) => (
            <EventGroupField
              key={group}
              label={t.groups[group]}
              names={names}
              chosen={events}
              onChange={(chosen) => set({ events: chosen })}
            />
          ))}
        </Stack>
      )}
    </>
  );
}

function EventGroupField({
  label,
  names,
  chosen,
  onChange,
}: {
  label: string;
  names: readonly WebhookEventName[];
  chosen: readonly WebhookEventName[];
  onChange: (chosen: WebhookEventName[]) => void;
}) {
  const meaning = useTexts(eventNames);
  const others = chosen.filter((name) => !names.includes(name));
  const own = names.filter((name) => chosen.includes(name));
  return (
    <Fieldset p="sm">
      <Checkbox
        label={<strong>{label}</strong>}
        checked={own.length === names.length}
        indeterminate={own.length > 0 && own.length < names.length}
        onChange={(event) => onChange(event.currentTarget.checked ? [...others, ...names] : others)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing={6} mt="xs">
        {names.map((name) => (
          <Group key={name} wrap="nowrap">
            <Checkbox
              size="xs"
              label={name}
              description={meaning[name]}
              checked={own.includes(name)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name),
                )
              }
            />
          </Group>
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
