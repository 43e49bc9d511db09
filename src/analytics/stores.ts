// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { ConsumerStore } from '../events/consumers.store.js';
import type { GroupStatistics } from './statistics-groups.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { StatisticsStore } from './statistics.store.js';
import type { createContactActivityStore } from './contact-activity.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createReportStore } from '../inbound/reports/reports.store.js';
import type { createReportSumStore } from '../inbound/reports/report-sums.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface AnalyticStores {
  consumers: ConsumerStore;
  contactActivity: ReturnType<typeof createContactActivityStore>;
  contacts: ReturnType<typeof createContactStore>;
  groupStatistics: GroupStatistics;
  messages: MessageStore;
  reportSums: ReturnType<typeof createReportSumStore>;
  reports: ReturnType<typeof createReportStore>;
  statistics: StatisticsStore;
  tenants: ReturnType<typeof createTenantStore>;
}
