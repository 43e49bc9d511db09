// A Brevo account for tests: a server that responds as Brevo's published client expects.
import { API_KEY, json, NOT_FOUND, startVendor, type VendorAccount } from './vendor-accounts.js';

export interface BrevoData {
  contacts?: {
    email?: string;
    blocked?: boolean;
    lists?: number[];
    left?: number[];
    attributes?: Record<string, unknown>;
  }[];
  lists?: { id: number; name: string }[];
  blocked?: { email: string; code: string }[];
  templates?: { name: string; subject: string; html: string; active?: boolean }[];
  domains?: string[];
  senders?: { email: string; name: string }[];
  webhooks?: { url: string; type: string; events: string[] }[];
}

export function startBrevo(data: BrevoData): Promise<VendorAccount> {
  const page = <T>(url: URL, rows: readonly T[]): T[] => {
    const number = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise);
    return rows.slice(number('offset', 0), number('offset', 0) + number('limit', 50));
  };
  const { contacts = [], lists = [], blocked = [], templates = [] } = data;
  const { domains = [], senders = [], webhooks = [] } = data;
  const at = '2026-01-01T00:00:00.000Z';
  return startVendor(
    ({ headers }) => headers['api-key'] === API_KEY,
    (url) => {
      switch (url.pathname) {
        case '/contacts': {
          const shown = contacts.map((one, i) => ({
            ...{ id: i + 1, email: one.email, emailBlacklisted: one.blocked ?? false, smsBlacklisted: false },
            ...{ createdAt: at, modifiedAt: at, listIds: one.lists ?? [], attributes: one.attributes ?? {} },
            ...(one.left === undefined ? {} : { listUnsubscribed: one.left }),
          }));
          return json({ count: shown.length, contacts: page(url, shown) });
        }
        case '/contacts/lists':
          return json({ count: lists.length, lists: page(url, lists) });
        case '/smtp/blockedContacts': {
          const shown = blocked.map(({ email, code }) => ({
            ...{ email, senderEmail: 'a@customer.example', reason: { code, message: code }, blockedAt: at },
          }));
          return json({ count: shown.length, contacts: page(url, shown) });
        }
        case '/smtp/templates': {
          const shown = templates.map(({ name, subject, html, active = true }, i) => ({
            ...{ id: i + 1, name, subject, isActive: active, testSent: true, htmlContent: html },
            ...{ createdAt: at, modifiedAt: at, tag: '', replyTo: '[DEFAULT_REPLY_TO]', toField: '' },
          }));
          return json({ count: shown.length, templates: page(url, shown) });
        }
        case '/senders/domains':
          return json({
            domains: domains.map((name, i) => ({
              ...{ id: i + 1, domain_name: name, authenticated: true, verified: true },
            })),
          });
        case '/senders':
          return json({ senders: senders.map((one, i) => ({ id: i + 1, active: true, ...one })) });
        case '/webhooks': {
          const type = url.searchParams.get('type');
          const shown = webhooks.map((one, i) => ({ id: i + 1, description: '', createdAt: at, ...one }));
          return json({ webhooks: shown.filter((one) => one.type === type) });
        }
        default:
          return NOT_FOUND;
      }
    },
  );
}
