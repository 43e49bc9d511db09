// Edits the content for parts of the audience: by tag, or at random for an A/B test.
import { ActionIcon, Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { campaigns } from '../../texts/campaigns.js';
import { useTexts } from '../../texts/texts.js';
import { Icon } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { TemplatePicker } from '../../ui/pickers.js';
import { Status } from '../../ui/status.js';
import { emptySplit, type PlanSplit } from './plan-state.js';
import type { PlanFields } from './plan.js';

const MOST = 4;
const LEAST_OF_SPLIT = 2;

const replaced = <T,>(list: readonly T[], at: number, changes: Partial<T>): T[] =>
  list.map((one, index) => (index === at ? { ...one, ...changes } : one));
const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

export function VariantsCard({ plan, set, isFixed }: PlanFields) {
  const t = useTexts(campaigns).plan;
  const { variants } = plan;
  const add = () => set({ variants: [...variants, { tag: '', template_id: null, subject: '' }] });
  return (
    <Card
      title={t.variants}
      actions={
        isFixed || variants.length >= MOST ? null : (
          <Button variant="default" size="xs" onClick={add} leftSection={<Icon name="plus" size={14} />}>
            {t.addVariant}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {variants.length === 0 ? t.noVariants : t.variantsHint}
      </Text>
      {variants.map((variant, at) => (
        <VariantRow
          key={at}
          title={t.variant(at + 1)}
          nameLabel={t.tag}
          name={variant.tag}
          onName={(tag) => set({ variants: replaced(variants, at, { tag }) })}
          needsTemplate
          templateId={variant.template_id}
          onTemplate={(id) => set({ variants: replaced(variants, at, { template_id: id }) })}
          subject={variant.subject}
          onSubject={(subject) => set({ variants: replaced(variants, at, { subject }) })}
          isFixed={isFixed}
          onRemove={() => set({ variants: without(variants, at) })}
        />
      ))}
    </Card>
  );
}

function VariantRow({
  title,
  nameLabel,
  name,
  onName,
  needsTemplate = false,
  templateId,
  onTemplate,
  subject,
  onSubject,
  isFixed,
  onRemove,
  badge,
}: {
  title: string;
  nameLabel: string;
  name: string;
  onName: (name: string) => void;
  needsTemplate?: boolean;
  templateId: string | null;
  onTemplate: (id: string | null) => void;
  subject: string;
  onSubject: (subject: string) => void;
  isFixed: boolean;
  /** `null` if it cannot be removed. */
  onRemove: (() => void) | null;
  badge?: React.ReactNode;
}) {
  const t = useTexts(campaigns);
  return (
    <div className="mk-fields mk-variant" role="group" aria-label={title}>
      <TextInput
        label={nameLabel}
        required
        readOnly={isFixed}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <TemplatePicker
        label={t.template}
        required={needsTemplate}
        value={templateId}
        onChange={onTemplate}
        readOnly={isFixed}
      />
      <TextInput
        label={t.plan.subject}
        readOnly={isFixed}
        value={subject}
        onChange={(event) => onSubject(event.currentTarget.value)}
      />
      <div className="mk-beside">
        {badge}
        {onRemove === null || isFixed ? null : (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            onClick={onRemove}
            aria-label={t.plan.remove(name === '' ? title : name)}
          >
            <Icon name="trash" />
          </ActionIcon>
        )}
      </div>
    </div>
  );
}

export function SplitCard({ plan, set, isFixed, winner }: PlanFields & { winner: string | null }) {
  const t = useTexts(campaigns).plan;
  const { split } = plan;
  if (split === null) {
    return (
      <Card
        title={t.split}
        actions={
          isFixed ? null : (
            <Button
              variant="default"
              size="xs"
              onClick={() => set({ split: emptySplit() })}
              leftSection={<Icon name="split" size={14} />}
            >
              {t.addSplit}
            </Button>
          )
        }
      >
        <Text size="sm" c="dimmed">
          {t.noSplit}
        </Text>
      </Card>
    );
  }
  const change = (changes: Partial<PlanSplit>) => set({ split: { ...split, ...changes } });
  const { variants } = split;
  const add = () =>
    change({
      variants: [...variants, { key: 'abcd'[variants.length] ?? '', template_id: null, subject: '' }],
    });
  return (
    <Card
      title={t.split}
      actions={
        isFixed ? null : (
          <Group gap="xs">
            {variants.length >= MOST ? null : (
              <Button variant="default" size="xs" onClick={add} leftSection={<Icon name="plus" size={14} />}>
                {t.addSplitVariant}
              </Button>
            )}
            <Button variant="subtle" color="gray" size="xs" onClick={() => set({ split: null })}>
              {t.noSplitEnd}
            </Button>
          </Group>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t.splitHint}
      </Text>
      {variants.map((variant, at) => (
        <VariantRow
          key={at}
          title={t.variant(at + 1)}
          nameLabel={t.key}
          name={variant.key}
          onName={(key) => change({ variants: replaced(variants, at, { key }) })}
          templateId={variant.template_id}
          onTemplate={(id) => change({ variants: replaced(variants, at, { template_id: id }) })}
          subject={variant.subject}
          onSubject={(subject) => change({ variants: replaced(variants, at, { subject }) })}
          isFixed={isFixed}
          onRemove={
            variants.length <= LEAST_OF_SPLIT ? null : () => change({ variants: without(variants, at) })
          }
          badge={winner !== null && winner === variant.key ? <Status of="ok">{t.winner}</Status> : null}
        />
      ))}
      <SplitTerms split={split} change={change} isFixed={isFixed} />
    </Card>
  );
}

function SplitTerms({
  split,
  change,
  isFixed,
}: {
  split: PlanSplit;
  change: (changes: Partial<PlanSplit>) => void;
  isFixed: boolean;
}) {
  const t = useTexts(campaigns).plan;
  return (
    <Stack mt="md">
      <div className="mk-fields">
        <NumberInput
          label={t.percent}
          description={t.percentHint}
          min={1}
          max={100}
          suffix=" %"
          readOnly={isFixed}
          value={split.test_percent}
          onChange={(value) => change({ test_percent: value })}
        />
        <Select
          label={t.metric}
          readOnly={isFixed}
          data={(['opened', 'clicked'] as const).map((value) => ({ value, label: t.metrics[value] }))}
          value={split.metric}
          onChange={(value) => change({ metric: value ?? 'clicked' })}
        />
        <NumberInput
          label={t.wait}
          description={t.waitHint}
          min={1}
          readOnly={isFixed}
          value={split.wait_minutes}
          onChange={(value) => change({ wait_minutes: value })}
        />
      </div>
    </Stack>
  );
}
