// Collects the German translations of the server's texts.
import { BULK_RULES } from './german/bulk-rules.js';
import { CAMPAIGNS } from './german/campaigns.js';
import { CHECKS } from './german/checks.js';
import { DOMAINS } from './german/domains.js';
import { EXPLANATIONS } from './german/explanations.js';
import { PAGES } from './german/pages.js';
import { FIELDS } from './german/fields.js';
import { REFUSAL_TEXTS } from './german/refusals.js';
import type { Catalogue } from './translate.js';

export const GERMAN: Catalogue = {
  ...BULK_RULES,
  ...PAGES,
  ...CHECKS,
  ...FIELDS,
  ...REFUSAL_TEXTS,
  ...CAMPAIGNS,
  ...DOMAINS,
  ...EXPLANATIONS,
};
