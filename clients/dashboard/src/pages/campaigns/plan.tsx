// Edits the plan of a campaign: content, audience and sender.
import { Alert, Select, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Campaign } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { useVersion } from '../../data/versions.js';
import { campaigns } from '../../texts/campaigns.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { SenderField } from '../../ui/sender-field.js';
import { LeaveGuard, SaveBar } from '../../ui/leave-guard.js';
import { PageLink } from '../../ui/links.js';
import { Card } from '../../ui/page.js';
import { ListPicker, TemplatePicker } from '../../ui/pickers.js';
import { useStatusText } from '../../ui/status.js';
import { planOf, updateOf, UTM_NAMES, type PlanState, type Tracking } from './plan-state.js';
import { SplitCard, VariantsCard } from './plan-variants.js';

const FIELDS = [
  ...['name', 'type', 'list_id', 'segment_tag', 'template_id', 'subject', 'from', 'reply_to'],
  ...['track_opens', 'track_clicks'],
  ...UTM_NAMES.map((name) => `utm.${name}`),
];

export interface PlanFields {
  plan: PlanState;
  set: (changes: Partial<PlanState>) => void;
  errors: Record<string, string | undefined>;
  isFixed: boolean;
}

export function Plan({ campaign, onDirty }: { campaign: Campaign; onDirty: (isDirty: boolean) => void }) {
  const t = useTexts(campaigns).plan;
  const frame = useTexts(common);
  const mayEdit = useRole('member');
  const form = useFormState(FIELDS);
  const saved = planOf(campaign);
  const [changed, setChanged] = useState<PlanState | null>(null);
  const plan = changed ?? saved;
  const isDirty = changed !== null && JSON.stringify(changed) !== JSON.stringify(saved);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const isStarted = campaign.status !== 'draft' && campaign.status !== 'scheduled';
  const isFixed = isStarted || !mayEdit;
  const versioned = useVersion(campaign, isDirty);
  const save = useAction(
    (api) => versioned((options) => api.campaigns.update(campaign.id, updateOf(plan), options)),
    {
      done: frame.saved,
      changes: ['campaigns'],
      isQuiet: true,
    },
  );
  const fields: PlanFields = {
    plan,
    set: (changes) => setChanged({ ...plan, ...changes }),
    errors: form.errors,
    isFixed,
  };
  return (
    <form
      onSubmit={form.onSubmit(async () => {
        await save.mutateAsync();
        setChanged(null);
      })}
    >
      <LeaveGuard isDirty={isDirty} />
      <Stack gap="lg">
        <FormProblem form={form} />
        {isStarted ? <Alert color="gray">{t.isFrozen}</Alert> : null}
        <div className="mk-grid">
          <AudienceCard {...fields} />
          <ContentCard {...fields} />
        </div>
        <VariantsCard {...fields} />
        <SplitCard {...fields} winner={campaign.split?.winner ?? null} />
        <SenderCard {...fields} />
        <UtmCard {...fields} />
        <Text size="sm" c="dimmed">
          {t.postal}
        </Text>
      </Stack>
      <SaveBar
        isShown={isDirty}
        isBusy={form.isBusy}
        call={(api) => api.campaigns.update(campaign.id, updateOf(plan))}
        onSave={() =>
          void form.submit(async () => {
            await save.mutateAsync();
            setChanged(null);
          })
        }
        onDiscard={() => setChanged(null)}
      />
    </form>
  );
}

function AudienceCard({ plan, set, errors, isFixed }: PlanFields) {
  const t = useTexts(campaigns);
  const word = useStatusText();
  return (
    <Card title={t.plan.audience}>
      <Stack>
        <TextInput
          label={t.name}
          description={t.nameHint}
          required
          maxLength={200}
          readOnly={isFixed}
          value={plan.name}
          error={errors['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <ListPicker
          label={t.list}
          value={plan.list_id}
          onChange={(id) => set({ list_id: id })}
          error={errors['list_id']}
          readOnly={isFixed}
        />
        <TextInput
          label={t.segment}
          description={t.plan.segmentHint}
          readOnly={isFixed}
          value={plan.segment_tag}
          error={errors['segment_tag']}
          onChange={(event) => set({ segment_tag: event.currentTarget.value })}
        />
        <Select
          label={t.type}
          description={t.typeHint}
          readOnly={isFixed}
          data={(['marketing', 'sales'] as const).map((value) => ({ value, label: word(value) }))}
          value={plan.type}
          error={errors['type']}
          onChange={(value) => set({ type: value ?? 'marketing' })}
        />
      </Stack>
    </Card>
  );
}

function ContentCard({ plan, set, errors, isFixed }: PlanFields) {
  const t = useTexts(campaigns);
  const trackings: readonly Tracking[] = ['default', 'on', 'off'];
  const names = { default: t.plan.asOrganization, on: t.plan.on, off: t.plan.off };
  const choices = trackings.map((value) => ({ value, label: names[value] }));
  return (
    <Card title={t.plan.content}>
      <Stack>
        <TemplatePicker
          label={t.template}
          description={t.plan.contentHint}
          value={plan.template_id}
          onChange={(id) => set({ template_id: id })}
          error={errors['template_id']}
          readOnly={isFixed}
        />
        {plan.template_id === null ? null : (
          <PageLink to={`/templates/${plan.template_id}`} size="sm">
            {t.plan.editTemplate}
          </PageLink>
        )}
        <TextInput
          label={t.plan.subject}
          description={t.plan.subjectHint}
          readOnly={isFixed}
          value={plan.subject}
          error={errors['subject']}
          onChange={(event) => set({ subject: event.currentTarget.value })}
        />
        <div className="mk-fields">
          <Select
            label={`${t.plan.tracking}: ${t.plan.opens}`}
            readOnly={isFixed}
            data={choices}
            value={plan.track_opens}
            onChange={(value) => set({ track_opens: value ?? 'default' })}
          />
          <Select
            label={`${t.plan.tracking}: ${t.plan.clicks}`}
            readOnly={isFixed}
            data={choices}
            value={plan.track_clicks}
            onChange={(value) => set({ track_clicks: value ?? 'default' })}
          />
        </div>
      </Stack>
    </Card>
  );
}

function SenderCard({ plan, set, errors, isFixed }: PlanFields) {
  const t = useTexts(campaigns).plan;
  return (
    <Card title={t.sender}>
      <div className="mk-fields">
        <SenderField
          label={t.from}
          description={t.fromHint}
          readOnly={isFixed}
          value={plan.from}
          error={errors['from']}
          onChange={(from) => set({ from })}
        />
        <TextInput
          label={t.replyTo}
          description={t.replyToHint}
          readOnly={isFixed}
          value={plan.reply_to}
          error={errors['reply_to']}
          onChange={(event) => set({ reply_to: event.currentTarget.value })}
        />
      </div>
    </Card>
  );
}

function UtmCard({ plan: { utm }, set, errors, isFixed }: PlanFields) {
  const t = useTexts(campaigns).plan.utm;
  return (
    <Card title={t.title}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t.hint}
        </Text>
        <div className="mk-fields">
          {UTM_NAMES.map((name) => (
            <TextInput
              key={name}
              label={`utm_${name}`}
              placeholder={t.examples[name]}
              maxLength={200}
              readOnly={isFixed}
              value={utm[name]}
              error={errors[`utm.${name}`]}
              onChange={(event) => set({ utm: { ...utm, [name]: event.currentTarget.value } })}
            />
          ))}
        </div>
      </Stack>
    </Card>
  );
}
