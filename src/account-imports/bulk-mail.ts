// Plans imported sequences, which are paused, and drafts of campaigns. Their lists and templates become the imported ones.
import { campaigns } from '../campaigns/campaigns.tables.js';
import { planDraft } from '../campaigns/edit.js';
import { Refusal } from '../contract/refusal.js';
import { insert } from '../database/rows.js';
import { planSequence } from '../sequences/edit.js';
import type { SequenceCreate } from '../sequences/sequence.schema.js';
import { planNewTemplate } from '../templates/templates.js';
import type { CampaignItem, SequenceItem } from './items.rules.js';
import { cut } from './values.rules.js';
import type { Planned } from './write-objects.js';
import type { WriteTerms } from './write.js';

const MAX_NAME = 200;

type Step = SequenceCreate['steps'][number];

export async function planOneSequence(
  terms: WriteTerms,
  { name, body, templateIds }: SequenceItem,
): Promise<Planned> {
  const { context, scope, isDryRun } = terms;
  const named = isDryRun ? unnamed(body) : await importedParts(terms, body, templateIds);
  const wanted = { ...body, ...named, name: cut(name, MAX_NAME) || 'Sequence', status: 'paused' as const };
  const { id, change } = await planSequence(context, scope, wanted);
  return { id, changes: [change], notes: ['The sequence was imported paused. Check it, and resume it.'] };
}

type Named = Pick<SequenceCreate, 'trigger' | 'steps'>;

/** A dry run has not created the lists and templates that a sequence names. Its other parts are checked. */
function unnamed({ trigger, steps }: Named): Named {
  return {
    trigger: trigger.type === 'list_joined' ? { type: 'manual' } : trigger,
    steps: steps.map((step) =>
      step.type === 'send'
        ? { ...(step.id === undefined ? {} : { id: step.id }), type: 'wait', hours: 0 }
        : step,
    ),
  };
}

async function importedParts(
  terms: WriteTerms,
  { trigger, steps }: Named,
  templateIds: SequenceItem['templateIds'],
): Promise<Named> {
  const become: Step[] = [];
  for (const step of steps) {
    become.push(
      step.type === 'send'
        ? { ...step, template: await stepTemplate(terms, step.template, templateIds[step.template]) }
        : step,
    );
  }
  return {
    trigger:
      trigger.type === 'list_joined'
        ? { ...trigger, list_id: await importedList(terms, trigger.list_id) }
        : trigger,
    steps: become,
  };
}

/** Keeps a slug if it refers to the imported template here. `templateId` is the template that it referred to at the source. */
async function stepTemplate(
  terms: WriteTerms,
  name: string,
  templateId: string | undefined,
): Promise<string> {
  if (templateId === undefined) return name.startsWith('tpl_') ? importedTemplate(terms, name) : name;
  const id = await importedTemplate(terms, templateId);
  const meant = await terms.store.templates.templateBySlug(terms.scope, name);
  return meant?.id === id ? name : id;
}

export async function planOneCampaign(
  terms: WriteTerms,
  { name, body, content, notes }: CampaignItem,
): Promise<Planned> {
  const { context, scope, isDryRun } = terms;
  const named = isDryRun ? { list_id: null, template_id: null, variants: [] } : await namedBy(terms, body);
  const { split } = body;
  const variants = split?.variants.map(async (variant) => ({
    ...variant,
    template_id: isDryRun ? null : await importedTemplate(terms, variant.template_id),
  }));
  const wanted = {
    ...{ ...body, ...named, name: cut(name, MAX_NAME) || 'Campaign' },
    ...(split && variants ? { split: { ...split, variants: await Promise.all(variants) } } : {}),
  };
  const { row, change } = await planDraft(context, scope, wanted);
  if (content === undefined) return { id: row.id, changes: [change], notes };
  const made = { name: wanted.name, type: 'marketing' as const, ...content };
  const { template, changes } = await planNewTemplate(context, scope, made);
  const withTemplate = insert(campaigns, { row: { ...row, template_id: template.id } });
  return { id: row.id, changes: [...changes, withTemplate], notes };
}

async function namedBy(terms: WriteTerms, { list_id, template_id, variants = [] }: CampaignItem['body']) {
  const imported = variants.map(async (variant) => ({
    ...variant,
    template_id: await importedTemplate(terms, variant.template_id),
  }));
  return {
    list_id: list_id ? await importedList(terms, list_id) : null,
    template_id: await importedTemplate(terms, template_id),
    variants: await Promise.all(imported),
  };
}

async function importedList(terms: WriteTerms, id: string): Promise<string> {
  const found = (await terms.objectsOf('lists', [id])).get(id);
  if (found === undefined) throw new Refusal('list_not_found', `The list ${id} was not imported.`);
  return found;
}

async function importedTemplate(terms: WriteTerms, id: string): Promise<string>;
async function importedTemplate(terms: WriteTerms, id: string | null | undefined): Promise<string | null>;
async function importedTemplate(terms: WriteTerms, id: string | null | undefined) {
  if (id === null || id === undefined) return null;
  const found = (await terms.objectsOf('templates', [id])).get(id);
  if (found === undefined) throw new Refusal('template_not_found', `The template ${id} was not imported.`);
  return found;
}
