// Collects the German translations of the server's texts.
import { ACCOUNT_IMPORTS } from './german/account-imports.js';
import { BULK_RULES } from './german/bulk-rules.js';
import { CAMPAIGNS } from './german/campaigns.js';
import { CHECKS } from './german/checks.js';
import { DELIVERY } from './german/delivery.js';
import { DOMAINS } from './german/domains.js';
import { EXPLANATIONS } from './german/explanations.js';
import { INBOXES } from './german/inboxes.js';
import { PAGES } from './german/pages.js';
import { PROOFS } from './german/proofs.js';
import { TRANSFERS } from './german/transfers.js';
import { FIELDS } from './german/fields.js';
import { REFUSAL_TEXTS } from './german/refusals.js';
import type { Catalogue } from './translate.js';

export const GERMAN: Catalogue = {
  ...TRANSFERS,
  ...ACCOUNT_IMPORTS,
  ...DELIVERY,
  ...PROOFS,
  ...BULK_RULES,
  ...PAGES,
  ...CHECKS,
  ...FIELDS,
  ...REFUSAL_TEXTS,
  ...INBOXES,
  ...CAMPAIGNS,
  ...DOMAINS,
  ...EXPLANATIONS,
};
