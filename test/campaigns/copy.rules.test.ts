// Tests the precedence rules of interface.md as a table: which sources a copy is made from, and what fills its placeholders.
import { describe, expect, it } from 'vitest';
import {
  copySources,
  readCampaignSources,
  usedTemplates,
  variantByTag,
  type CampaignSources,
  type CopyOverride,
} from '../../src/campaigns/copy.rules.js';
import { mergeVariables } from '../../src/templates/rendering/personalization.rules.js';

const CAMPAIGN: CampaignSources = {
  template_id: 'base',
  subject: 'Base subject',
  variants: [
    { tag: 'vip', template_id: 'for-vip', subject: 'For you' },
    { tag: 'trial', template_id: 'for-trial', subject: null },
  ],
  split: null,
};
const SPLIT: CampaignSources = {
  ...CAMPAIGN,
  split: {
    variants: [
      { key: 'a', template_id: null, subject: null },
      { key: 'b', template_id: null, subject: 'Other words' },
      { key: 'c', template_id: 'c-template', subject: null },
      { key: 'd', template_id: 'base', subject: null },
    ],
    test_percent: 100,
    metric: 'opened',
    wait_minutes: 60,
  },
};
const both: CopyOverride = { subject: 'Edited', html: '<p>Edited</p>' };
const subjectOnly: CopyOverride = { subject: 'Edited', html: null };
const htmlOnly: CopyOverride = { subject: null, html: '<p>Edited</p>' };

interface Row {
  who: string;
  campaign: CampaignSources;
  tags: string[];
  override: CopyOverride | null;
  splitKey?: string;
  /** Template, subject, html, variant, edited. */
  gets: [string, string | null, string | null, string | null, boolean];
}

const ROWS: Row[] = [
  row('without a tag gets the base', CAMPAIGN, [], null, ['base', 'Base subject', null, null, false]),
  row('with a foreign tag gets the base', CAMPAIGN, ['x'], null, ['base', 'Base subject', null, null, false]),
  row('with a tag of other case gets the base', CAMPAIGN, ['VIP'], null, [
    'base',
    'Base subject',
    null,
    null,
    false,
  ]),
  row('with a variant’s tag gets its template and subject', CAMPAIGN, ['vip'], null, [
    'for-vip',
    'For you',
    null,
    'vip',
    false,
  ]),
  row('with a variant without subject gets its template’s own', CAMPAIGN, ['trial'], null, [
    'for-trial',
    null,
    null,
    'trial',
    false,
  ]),
  row('with two variants’ tags gets the first variant, not the first tag', CAMPAIGN, ['trial', 'vip'], null, [
    'for-vip',
    'For you',
    null,
    'vip',
    false,
  ]),
  row('with an override of both gets that', CAMPAIGN, [], both, [
    'base',
    'Edited',
    '<p>Edited</p>',
    null,
    true,
  ]),
  row('with an override wins over the variant', CAMPAIGN, ['vip'], both, [
    'for-vip',
    'Edited',
    '<p>Edited</p>',
    'vip',
    true,
  ]),
  row('with an edited subject keeps the variant’s body', CAMPAIGN, ['vip'], subjectOnly, [
    'for-vip',
    'Edited',
    null,
    'vip',
    true,
  ]),
  row('with an edited body keeps the variant’s subject', CAMPAIGN, ['vip'], htmlOnly, [
    'for-vip',
    'For you',
    '<p>Edited</p>',
    'vip',
    true,
  ]),
  row('with an edited body keeps the base’s subject', CAMPAIGN, [], htmlOnly, [
    'base',
    'Base subject',
    '<p>Edited</p>',
    null,
    true,
  ]),
  row('with an empty edited subject has an edited copy', CAMPAIGN, [], { subject: '', html: null }, [
    'base',
    '',
    null,
    null,
    true,
  ]),
  row(
    'of group a gets the base, counted as a',
    SPLIT,
    [],
    null,
    ['base', 'Base subject', null, 'a', false],
    'a',
  ),
  row('of group b gets its subject', SPLIT, [], null, ['base', 'Other words', null, 'b', false], 'b'),
  row(
    'of group c gets its template with that template’s subject',
    SPLIT,
    [],
    null,
    ['c-template', null, null, 'c', false],
    'c',
  ),
  row(
    'of group d, which names the base’s template, gets the base’s subject',
    SPLIT,
    [],
    null,
    ['base', 'Base subject', null, 'd', false],
    'd',
  ),
  row(
    'of group b with a variant’s tag gets the variant',
    SPLIT,
    ['vip'],
    null,
    ['for-vip', 'For you', null, 'vip', false],
    'b',
  ),
  row(
    'of group b with an override gets that',
    SPLIT,
    [],
    both,
    ['base', 'Edited', '<p>Edited</p>', 'b', true],
    'b',
  ),
  row('of no group gets the base', SPLIT, [], null, ['base', 'Base subject', null, null, false]),
  row('of an unknown group gets the base', SPLIT, [], null, ['base', 'Base subject', null, null, false], 'z'),
];

function row(
  who: string,
  campaign: CampaignSources,
  tags: string[],
  override: CopyOverride | null,
  gets: Row['gets'],
  splitKey?: string,
): Row {
  return { who, campaign, tags, override, gets, ...(splitKey === undefined ? {} : { splitKey }) };
}

describe('the sources for a recipient', () => {
  it.each(ROWS)('of a recipient $who', ({ campaign, tags, override, splitKey, gets }) => {
    const { templateId, subject, html, variant, edited } = copySources({
      campaign,
      tags,
      override,
      splitKey: splitKey ?? null,
    });
    expect([templateId, subject, html, variant, edited]).toEqual(gets);
  });

  it('distinguish a variant by tag from a split group', () => {
    const tagged = copySources({ campaign: SPLIT, tags: ['vip'], override: null, splitKey: 'b' });
    const drawn = copySources({ campaign: SPLIT, tags: [], override: null, splitKey: 'b' });
    expect([tagged.variantTag, drawn.variantTag]).toEqual(['vip', null]);
  });

  it('use the campaign’s subject if the template of a variant has none', () => {
    const { subject, spareSubject } = copySources({
      campaign: CAMPAIGN,
      tags: ['trial'],
      override: null,
      splitKey: null,
    });
    expect([subject, spareSubject]).toEqual([null, 'Base subject']);
  });
});

describe('the value of a placeholder', () => {
  const contact = {
    email: 'ann@example.com',
    name: 'Ann van der Smith',
    phone: null,
    metadata: { city: 'Bremen', first_name: 'Annie', email: 'spoofed@example.com', unsubscribe_url: 'evil' },
  };
  it.each([
    ['an explicit variable, before a field of the contact', { city: 'Berlin' }, 'city', 'Berlin'],
    ['an explicit variable, before the record', { email: 'x@example.org' }, 'email', 'x@example.org'],
    ['a custom field', {}, 'city', 'Bremen'],
    ['the record, before a custom field of its name', {}, 'email', 'ann@example.com'],
    ['a custom field, before what is derived', {}, 'first_name', 'Annie'],
    ['what is derived', {}, 'last_name', 'van der Smith'],
    ['the service’s own link, before a custom field', {}, 'unsubscribe_url', 'ours'],
    [
      'the service’s own link, before an explicit variable',
      { unsubscribe_url: 'x' },
      'unsubscribe_url',
      'ours',
    ],
    ['nothing', {}, 'phone', undefined],
  ])('%s', (_what, explicit, name, value) => {
    expect(mergeVariables({ explicit, contact, unsubscribeUrl: 'ours' })[name]).toBe(value);
  });
});

describe('the sources of a campaign row', () => {
  it('are parsed from its JSON, with each template once', () => {
    const sources = readCampaignSources({
      template_id: 'base',
      subject: null,
      variants: JSON.stringify(CAMPAIGN.variants),
      split: JSON.stringify(SPLIT.split),
    });
    expect(sources).toEqual({ ...SPLIT, subject: null });
    expect(usedTemplates(sources)).toEqual(['base', 'for-vip', 'for-trial', 'c-template']);
  });

  it('may have neither variants nor a split', () => {
    const sources = readCampaignSources({ template_id: 'base', subject: null, variants: '[]', split: null });
    expect(usedTemplates(sources)).toEqual(['base']);
    expect(variantByTag(sources.variants, ['vip'])).toBeNull();
  });
});
