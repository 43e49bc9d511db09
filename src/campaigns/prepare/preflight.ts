// Gathers the facts for campaigns/preflight.rules before a campaign is sent. The audience is read once, in slices, and copies are
// rendered for a sample only.
import type { CampaignContext } from '../context.js';
import type { MessageType } from '../../contract/names.js';
import { Refusal, isUnavailable } from '../../contract/refusal.js';
import { sampleUnsubscribeUrl } from '../../contacts/unsubscribe.rules.js';
import {
  copySources,
  readCampaignSources,
  usedTemplates,
  type CampaignSources,
  type CopySources,
} from '../copy.rules.js';
import {
  emptyNames,
  judgeCampaign,
  type PreflightProblem,
  type PreflightCheck,
  type PreflightFacts,
  findLinkTargets,
} from '../preflight.rules.js';
import { splitGroup } from '../split.rules.js';
import { mergeVariables } from '../../templates/rendering/personalization.rules.js';
import { remainingSends, usageDays } from '../../accounts/quota.rules.js';
import type { LinkCheck } from '../../lib/http/index.js';
import type { Scope } from '../../database/scope.js';
import { createFacts } from '../../messages/accept/facts.js';
import { assertTenantSends, chooseSenders, givenSenders } from '../../messages/accept/sender.js';
import { walkAudience } from './eligibility.js';
import type { PreviewedRecipient, Previews } from './preview.js';
import { openCopyRenderer, readPinned } from './recipient-copy.js';
import type { Campaign, CampaignOverride } from '../campaigns.tables.js';
import type { Contact } from '../../contacts/contacts.tables.js';

// Checks the links of sample copies, each once, up to a limit, and a few at a time.
const AT_A_TIME = 8;

interface LinkAnswer {
  url: string;
  kind: 'works' | 'dead' | 'unknown';
  reason: string | null;
}

/** Returns at most `limit` distinct http(s) links of the HTML texts, in order, without those that begin with a prefix in `ours`. */
function linksToCheck(htmls: readonly string[], ours: readonly string[], limit: number): string[] {
  const links = new Set<string>();
  for (const html of htmls) {
    for (const href of findLinkTargets(html)) {
      if (links.size >= limit) return [...links];
      const isAsked =
        /^https?:\/\//i.test(href) && URL.canParse(href) && !ours.some((start) => href.startsWith(start));
      if (isAsked) links.add(href);
    }
  }
  return [...links];
}

/** Returns results in the order of `urls`. */
async function checkLinks(
  check: Pick<LinkCheck, 'check'>,
  urls: readonly string[],
  workspaceId: string,
): Promise<LinkAnswer[]> {
  const answers: LinkAnswer[] = [];
  const waiting = urls.map((url, index) => ({ url, index }));
  const ask = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await check.check(next.url, workspaceId);
      answers[next.index] = {
        url: next.url,
        kind: result.kind,
        reason: result.kind === 'works' ? null : result.reason,
      };
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, ask));
  return answers;
}

/** Number of sample copies for each variant, the base, and overrides. */
const SAMPLE_OF_EACH = 5;
/** Recipients that are listed for a missing variable. */
const NAMED_OF_EACH = 20;
/** Maximum number of distinct names that are reported. Further ones are ignored. */
const MAX_NAMES = 100;
/** Maximum number of overrides that are searched for placeholders. */
const MAX_EDITED = 1_000;

/** Refuses with `unavailable` if too much is being rendered. Concurrent calls for a campaign share one check. */
export type CheckCampaign = (scope: Scope, campaign: Campaign) => Promise<PreflightCheck[]>;

interface PreflightContext extends CampaignContext {
  previews: Pick<Previews, 'forContact'>;
  links: Pick<LinkCheck, 'check'>;
}

export function createCampaignPreflight(context: PreflightContext): CheckCampaign {
  const running = new Map<string, Promise<PreflightCheck[]>>();
  return (scope, campaign) => {
    const key = `${campaign.id} ${campaign.updated_at}`;
    const known = running.get(key);
    if (known) return known;
    const look = gather(context, scope, campaign)
      .then(judgeCampaign)
      .finally(() => running.delete(key));
    running.set(key, look);
    return look;
  };
}

async function gather(context: PreflightContext, scope: Scope, campaign: Campaign): Promise<PreflightFacts> {
  const { store, config } = context;
  const owned = { ...scope, subTenantId: campaign.sub_tenant_id };
  const side = await createFacts(store).senderSide(owned);
  const { organization } = side;
  const template = await refusalOf(() => openCopyRenderer(context, scope, campaign));
  const list = await store.lists.listFor(campaign);
  const kept = readCampaignSources(campaign);
  const sample = createSample();
  const names = await createVariableCheck(context, owned, campaign);
  const audience = await walkAudience(context, { scope, campaign, organization }, async (contacts) => {
    const overrides = await overridesOf(store, campaign, contacts);
    for (const contact of contacts) {
      const override = overrides.get(contact.email_key) ?? null;
      const sources = sourcesOf({ id: campaign.id, winner: campaign.winner, kept }, contact, override);
      sample.offer(contact, sources);
      await names.look(contact, sources);
    }
  });
  const shown =
    template === null
      ? await Promise.all(
          sample.taken().map((contact) => context.previews.forContact(scope, campaign, contact)),
        )
      : [];
  const copies = shown.flatMap(sampleCopy);
  const { publicUrl } = config;
  const ours = [`${publicUrl}/u/`, `${publicUrl}/preferences/`];
  const urls = linksToCheck(
    copies.flatMap(({ html }) => html ?? []),
    ours,
    config.linkChecks,
  );
  return {
    sender: await refusalOf(() => {
      assertTenantSends(side, scope.mode);
      return chooseSenders(givenSenders(campaign), side, scope.mode);
    }),
    hasPostalAddress: (organization.postal_address ?? '').trim() !== '',
    list: list !== null ? 'there' : campaign.list_number === 0 ? 'none' : 'deleted',
    template,
    audience,
    missing: names.missing(),
    copies,
    failedCopies: shown.flatMap(({ email, problem }) => (problem === null ? [] : [{ email, ...problem }])),
    answers: await checkLinks(context.links, urls, scope.workspaceId),
    unsubscribeUrl: sampleUnsubscribeUrl(publicUrl),
    postalAddress: organization.postal_address ?? '',
    derivesText: names.derivesText,
    clipLimitBytes: config.clipLimitBytes,
    quota: await quotaLeft(context, scope, organization.plan, campaign.type),
  };
}

function sampleCopy({ email, copy }: PreviewedRecipient): PreflightFacts['copies'][number][] {
  return copy === null ? [] : [{ email, ...copy }];
}

/** Returns the refusal of a call, or null. */
async function refusalOf(ask: () => unknown): Promise<PreflightProblem | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || isUnavailable(error)) throw error;
    return { code: error.code, message: error.message };
  }
}

async function overridesOf(
  store: CampaignContext['store'],
  campaign: Campaign,
  contacts: readonly Contact[],
): Promise<Map<string, CampaignOverride>> {
  const rows = await store.campaigns.overrides(
    campaign.id,
    contacts.map((contact) => contact.email_key),
  );
  return new Map(rows.map((row) => [row.email_key, row]));
}

function sourcesOf(
  { id, winner, kept }: Pick<Campaign, 'id' | 'winner'> & { kept: CampaignSources },
  contact: Contact,
  override: CampaignOverride | null,
): CopySources {
  const group = kept.split === null ? null : splitGroup(kept.split, id, contact.number);
  return copySources({
    campaign: kept,
    tags: JSON.parse(contact.tags) as string[],
    override,
    splitKey: group ?? winner,
  });
}

/** Returns some copies of every kind. */
function createSample() {
  const taken = new Map<string, Contact[]>();
  return {
    offer(contact: Contact, { variant, edited }: CopySources): void {
      const kind = JSON.stringify([variant, edited]);
      const those = taken.get(kind) ?? [];
      if (those.length < SAMPLE_OF_EACH) taken.set(kind, [...those, contact]);
    },
    taken: (): Contact[] => [...taken.values()].flat(),
  };
}

interface Missing {
  recipients: number;
  emails: string[];
}

/** Finds the variables of the copies, and the recipients for whom they are empty. */
async function createVariableCheck({ store, renderer }: CampaignContext, owned: Scope, campaign: Campaign) {
  const owner = owned.subTenantId ?? owned.workspaceId;
  const templates = await templatesNow(store, owned, campaign);
  const namesOf = new Map<string, readonly string[]>();
  const missing = new Map<string, Missing>();
  let edited = 0;
  let derivesText = false;

  /** Returns nothing for unreadable sources, which the sample reports. */
  async function read(sources: CopySources): Promise<readonly string[]> {
    const template = templates.get(sources.templateId);
    const parts = {
      subject: sources.subject ?? template?.subject ?? sources.spareSubject,
      html: sources.html ?? template?.html ?? null,
      text: sources.html === null ? (template?.text ?? null) : null,
    };
    if (parts.html !== null && parts.text === null) derivesText = true;
    const answer = await renderer.check({ ...parts, owner });
    if (answer.kind === 'busy')
      throw new Refusal('unavailable', 'The server is parsing too many templates. Try again.');
    return answer.kind === 'valid' ? answer.variables : [];
  }

  return {
    async look(contact: Contact, sources: CopySources): Promise<void> {
      if (sources.edited && (edited += 1) > MAX_EDITED) return;
      const key = sources.edited
        ? contact.email_key
        : JSON.stringify([sources.templateId, sources.subject, sources.spareSubject]);
      const known = namesOf.get(key);
      const names = known ?? (await read(sources));
      if (known === undefined && !sources.edited) namesOf.set(key, names);
      if (names.length === 0) return;
      const variables = mergeVariables({
        explicit: {},
        contact: { ...contact, metadata: JSON.parse(contact.metadata) as Record<string, unknown> },
        unsubscribeUrl: 'there',
      });
      for (const name of emptyNames(names, variables)) note(name, contact.email);
    },
    missing: () =>
      [...missing.entries()]
        .map(([name, { recipients, emails }]) => ({ name, recipients, emails }))
        .sort((a, b) => b.recipients - a.recipients),
    get derivesText() {
      return derivesText;
    },
  };

  function note(name: string, email: string): void {
    const seen = missing.get(name);
    if (!seen && missing.size >= MAX_NAMES) return;
    const { recipients, emails } = seen ?? { recipients: 0, emails: [] };
    if (emails.length < NAMED_OF_EACH) emails.push(email);
    missing.set(name, { recipients: recipients + 1, emails });
  }
}

type TemplateParts = Record<'subject' | 'html' | 'text', string | null>;

/** Returns the versions that copies use, without missing templates. */
async function templatesNow(
  store: CampaignContext['store'],
  owned: Scope,
  campaign: Campaign,
): Promise<Map<string, TemplateParts>> {
  if (campaign.versions !== null) return readPinned(store, campaign.versions);
  const ids = usedTemplates(readCampaignSources(campaign));
  const rows = await Promise.all(ids.map((id) => store.templates.template(owned, id)));
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row.id, row] as const])));
}

/** Returns the tighter of the plan's limits. Null without one, and in the sandbox. */
async function quotaLeft(
  { store, plans, clock }: CampaignContext,
  { organizationId, mode }: Scope,
  plan: string,
  type: MessageType,
): Promise<PreflightFacts['quota']> {
  const limits = plans.get(plan);
  if (mode === 'test' || !limits) return null;
  const now = clock();
  return remainingSends(limits, await store.usage.ofOrganization(organizationId, usageDays(now)), type, now);
}
