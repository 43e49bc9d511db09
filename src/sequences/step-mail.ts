// Drafts the message of a sequence's step to one contact from the current template.
import type { SequenceContext } from './context.js';
import { Refusal } from '../contract/refusal.js';
import { unsubscribeUrl } from '../contacts/unsubscribe.rules.js';
import type { SendStep } from './steps.rules.js';
import { isTrackedByDefault } from '../accounts/tracking-default.rules.js';
import { newId } from '../lib/runtime/index.js';
import type { EnrolledContact, PlacedSequence } from './sequences.store.js';
import type { TemplateWithContent } from '../templates/templates.store.js';
import { contactDraft, skippedDraft } from '../messages/accept/contact-draft.js';
import { assertSendable, makeCopy } from '../templates/rendering/copy.js';
import type { SenderSide } from '../messages/accept/facts.js';
import type { Draft } from '../messages/accept/draft.js';
import { assertTenantSends, chooseSenders, givenSenders } from '../messages/accept/sender.js';

interface StepMail {
  step: SendStep;
  contact: EnrolledContact;
  /** Variables given on enrollment, which override the step's. */
  variables: Readonly<Record<string, unknown>>;
  now: number;
}

/** A problem that affects all messages of a sequence. */
export class SequenceProblem extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** Drafts the messages of one batch. */
export interface StepMailer {
  /**
   * Refused with `template_invalid`, `validation_error`, `subject_required` or `content_required` if this mail cannot be created,
   * and with `unavailable` if it can be created later. Throws `SequenceProblem` if its template is missing.
   */
  draft(mail: StepMail): Promise<Draft>;
  /** Drafts the record of a message that is not sent because the address is suppressed. Refused like `draft`. */
  skipped(mail: Omit<StepMail, 'variables'> & { reason: string }): Promise<Draft>;
}

/**
 * Refused with a reason that applies to all mail of the sequence: `tenant_suspended`, `sender_required`, `sender_not_verified`,
 * `postal_address_required`.
 */
export function createStepMailer(
  context: SequenceContext,
  sequence: PlacedSequence,
  side: SenderSide,
): StepMailer {
  const { store, renderer, tokenKey, config } = context;
  const { scope, type } = sequence;
  assertTenantSends(side, scope.mode);
  const senders = chooseSenders(givenSenders(sequence), side, scope.mode);
  const { organization } = side;
  const postalAddress = (organization.postal_address ?? '').trim();
  const isBulk = type !== 'transactional';
  const tracked = isTrackedByDefault(organization, type);
  if (isBulk && postalAddress === '') throw new Refusal('postal_address_required');
  /** Looked up once for a batch. */
  const templates = new Map<string, Promise<TemplateWithContent>>();

  async function findTemplate(name: string): Promise<TemplateWithContent> {
    const byId = name.startsWith('tpl_') ? await store.templates.template(scope, name) : null;
    const found = byId ?? (await store.templates.templateBySlug(scope, name));
    if (!found) {
      const message = `Template "${name}" was deleted. Create a template with this slug or change the step, then resume the sequence.`;
      throw new SequenceProblem(new Refusal('template_not_found', message));
    }
    if (found.type !== 'any' && found.type !== type) {
      const message = `Template "${name}" is for ${found.type} messages. Change its type or the step, then resume the sequence.`;
      throw new SequenceProblem(new Refusal('validation_error', message));
    }
    return found;
  }

  function template(name: string): Promise<TemplateWithContent> {
    let found = templates.get(name);
    if (!found) templates.set(name, (found = findTemplate(name)));
    return found;
  }

  return {
    async skipped({ step, contact, now, reason }) {
      const { id, version, subject } = await template(step.template);
      const source = { sequenceId: sequence.id, variant: step.id };
      const mail = { publicId: newId('msg', now), type, contact, template: { id, version }, senders, source };
      return skippedDraft(mail, step.subject ?? subject ?? '', reason);
    },

    async draft({ step, contact, variables, now }) {
      const source = await template(step.template);
      const publicId = newId('msg', now);
      const copy = await makeCopy(renderer, {
        subject: step.subject ?? source.subject ?? '',
        html: source.html || null,
        text: source.text || null,
        variables: { ...step.variables, ...variables },
        contact,
        unsubscribeUrl: unsubscribeUrl(config.publicUrl, publicId, tokenKey),
        footer: isBulk ? postalAddress : null,
        inlineCss: source.inline_css === 1,
        owner: scope.subTenantId ?? scope.workspaceId,
        param: 'template',
      });
      assertSendable(copy);
      return contactDraft({
        publicId,
        type,
        contact,
        copy,
        template: { id: source.id, version: source.version },
        senders,
        tracked,
        source: { sequenceId: sequence.id, variant: step.id },
      });
    },
  };
}
