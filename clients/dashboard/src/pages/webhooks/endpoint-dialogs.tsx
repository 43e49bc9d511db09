// Adding and changing an endpoint, its secret, tests and replays.
import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type {
  WebhookDeliveryResult,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEventName,
  WebhookReplayCreate,
} from '@mailkeel/sdk';
import { localOf, timeOf } from '../../data/local-time.js';
import { useAction } from '../../data/read.js';
import { useVersion } from '../../data/versions.js';
import { common } from '../../texts/common.js';
import { events as eventTexts } from '../../texts/events.js';
import { useTexts } from '../../texts/texts.js';
import { webhooks } from '../../texts/webhooks.js';
import { CallsButton } from '../../ui/calls.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { SearchSelect } from '../../ui/search-select.js';
import { ShownOnce } from '../../ui/secret.js';
import { EndpointFields, type EndpointForm } from './endpoint-fields.js';
import { isDefaultSet, USUAL_EVENTS, WEBHOOK_EVENTS } from './event-sets.js';

const FIELDS = ['url', 'events', 'inbox_ids', 'description', 'format', 'payload', 'sub_tenant_id'];
const RESULTS: readonly WebhookDeliveryResult[] = ['failed', 'succeeded'];
const HOUR_MS = 3_600_000;

/** `null` requests the default events. */
function eventsOf({ isUsual, events }: EndpointForm): WebhookEventName[] | null {
  return isUsual ? null : [...events];
}

export function NewEndpoint({ onClose }: { onClose: () => void }) {
  const t = useTexts(webhooks);
  const form = useFormState(FIELDS);
  const [secret, setSecret] = useState<string | null>(null);
  const [values, setValues] = useState<EndpointForm>({
    url: '',
    description: '',
    isUsual: true,
    events: [],
    inboxes: [],
    format: 'service',
    payload: 'thin',
    subTenant: '',
  });
  const tenant = values.subTenant.trim();
  const params: WebhookEndpointCreate = {
    url: values.url.trim(),
    events: eventsOf(values),
    ...(values.inboxes.length === 0 ? {} : { inbox_ids: values.inboxes }),
    ...(values.description.trim() === '' ? {} : { description: values.description.trim() }),
    format: values.format,
    payload: values.payload,
    ...(tenant === '' ? {} : { sub_tenant_id: tenant }),
  };
  const make = useAction((api) => api.webhookEndpoints.create(params), {
    changes: ['webhook-endpoints'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.create}
      submit={t.create}
      form={form}
      extra={<CallsButton calls={[(api) => api.webhookEndpoints.create(params)]} />}
      act={async () => setSecret((await make.mutateAsync()).secret)}
      result={secret !== null && <ShownOnce title={t.secret} hint={t.secretHint} value={secret} />}
    >
      <EndpointFields
        values={values}
        set={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errors={form.errors}
        isNew
      />
    </FormDialog>
  );
}

export function EditEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const t = useTexts(webhooks);
  const frame = useTexts(common);
  const form = useFormState(FIELDS);
  const [values, setValues] = useState<EndpointForm>({
    url: endpoint.url,
    description: endpoint.description ?? '',
    isUsual: isDefaultSet(endpoint.events),
    events: endpoint.events,
    inboxes: endpoint.inbox_ids ?? [],
    format: endpoint.format,
    payload: endpoint.payload,
    subTenant: '',
  });
  const params = {
    url: values.url.trim(),
    events: eventsOf(values),
    inbox_ids: values.inboxes.length === 0 ? null : values.inboxes,
    description: values.description.trim() === '' ? null : values.description.trim(),
    format: values.format,
    payload: values.payload,
  };
  const versioned = useVersion(endpoint, true);
  const change = useAction(
    (api) => versioned((options) => api.webhookEndpoints.update(endpoint.id, params, options)),
    {
      done: frame.saved,
      changes: ['webhook-endpoints'],
      isQuiet: true,
    },
  );
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.edit}
      submit={frame.save}
      form={form}
      extra={<CallsButton calls={[(api) => api.webhookEndpoints.update(endpoint.id, params)]} />}
      act={() => change.mutateAsync()}
    >
      <EndpointFields
        values={values}
        set={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errors={form.errors}
      />
    </FormDialog>
  );
}

export function RotateSecret({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(webhooks);
  const form = useFormState([]);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useAction((api) => api.webhookEndpoints.rotateSecret(id), {
    changes: ['webhook-endpoints'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.rotate}
      submit={t.rotate}
      form={form}
      extra={<CallsButton calls={[(api) => api.webhookEndpoints.rotateSecret(id)]} />}
      act={async () => setSecret((await rotate.mutateAsync()).secret)}
      result={secret !== null && <ShownOnce title={t.secret} hint={t.secretHint} value={secret} />}
    >
      <Text c="dimmed">{t.rotateHint}</Text>
    </FormDialog>
  );
}

export function TestEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const t = useTexts(webhooks);
  const { names } = useTexts(eventTexts);
  const form = useFormState(['event']);
  const [event, setEvent] = useState<WebhookEventName>(
    endpoint.events[0] ?? USUAL_EVENTS[0] ?? 'message.sent',
  );
  const params = { event };
  const send = useAction((api) => api.webhookEndpoints.test(endpoint.id, params), {
    done: t.testDone,
    changes: ['deliveries'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.testTitle}
      submit={t.test}
      form={form}
      extra={<CallsButton calls={[(api) => api.webhookEndpoints.test(endpoint.id, params)]} />}
      act={() => send.mutateAsync()}
    >
      <Text c="dimmed">{t.testHint}</Text>
      <SearchSelect
        label={t.testEvent}
        data={WEBHOOK_EVENTS.map((value) => ({ value, label: names[value] }))}
        value={event}
        error={form.errors['event']}
        onChange={(value) => setEvent(value ?? event)}
      />
    </FormDialog>
  );
}

export function ReplayEvents({
  id,
  onClose,
  onDone,
}: {
  id: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = useTexts(webhooks);
  const form = useFormState(['since', 'until', 'status']);
  const [since, setSince] = useState(() => localOf(new Date(Date.now() - HOUR_MS).toISOString()));
  const [until, setUntil] = useState('');
  const [which, setWhich] = useState<WebhookDeliveryResult | 'all'>('all');
  const end = timeOf(until);
  const params: WebhookReplayCreate = {
    since: timeOf(since) ?? '',
    ...(end === null ? {} : { until: end }),
    ...(which === 'all' ? {} : { status: which }),
  };
  const replay = useAction((api) => api.webhookEndpoints.replay(id, params), {
    done: t.replayDone,
    changes: ['webhook-endpoints', 'deliveries'],
    onDone,
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.replayTitle}
      submit={t.replay}
      form={form}
      extra={<CallsButton calls={[(api) => api.webhookEndpoints.replay(id, params)]} />}
      act={() => replay.mutateAsync()}
    >
      <Text c="dimmed">{t.replayHint}</Text>
      <TextInput
        type="datetime-local"
        label={t.since}
        required
        value={since}
        error={form.errors['since']}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={t.until}
        description={t.untilHint}
        value={until}
        error={form.errors['until']}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      <Select
        label={t.which}
        data={[
          { value: 'all', label: t.whichAll },
          { value: 'failed', label: t.whichFailed },
          { value: 'succeeded', label: t.whichSucceeded },
        ]}
        value={which}
        error={form.errors['status']}
        onChange={(value) => setWhich(RESULTS.find((one) => one === value) ?? 'all')}
      />
    </FormDialog>
  );
}
