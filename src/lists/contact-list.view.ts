// Lists, their members and their growth as /v1 shows them.
import type { ContactListWire, ListGrowthWire, ListMemberWire } from './contact-list.schema.js';
import type { ContactList, ListDay, Member } from './lists.store.js';
import { presentContact } from '../contacts/contact.view.js';
import { iso } from '../contract/time.js';

const DAY_MS = 86_400_000;

export function presentContactList(row: ContactList, signUpUrl: string | null): ContactListWire {
  return {
    id: row.id,
    object: 'contact_list',
    name: row.name,
    description: row.description,
    contacts: row.contacts,
    counted_at: row.counted_at === null ? null : iso(row.counted_at),
    double_opt_in: row.double_opt_in === 1,
    confirmation_template_id: row.confirmation_template_id,
    filter: row.filter === null ? null : (JSON.parse(row.filter) as Record<string, unknown>),
    sign_up_url: signUpUrl,
    publishable_key: row.form_key,
    form_origins: JSON.parse(row.form_origins) as string[],
    sub_tenant_id: row.sub_tenant_id,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentMember({ contact, state, joinedAt }: Member): ListMemberWire {
  return {
    ...presentContact(contact),
    list_state: state,
    joined_at: joinedAt === null ? null : iso(joinedAt),
  };
}

/** Every day of the window up to `today` (days since the epoch), counted back from what the list has now. */
export function presentGrowth(
  list: ContactList,
  days: readonly ListDay[],
  { today, windowDays }: { today: number; windowDays: number },
): ListGrowthWire {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const isSegment = list.filter !== null;
  const series: ListGrowthWire['series'] = [];
  let contacts = list.contacts;
  for (let day = today; day > today - windowDays; day--) {
    const { joined = 0, unsubscribed = 0 } = byDay.get(day) ?? {};
    series.push({
      date: new Date(day * DAY_MS).toISOString().slice(0, 10),
      joined,
      unsubscribed,
      contacts: isSegment && day !== today ? null : contacts,
    });
    // Deleted contacts leave without a day: the past is then shown too small, but never below nothing.
    contacts = Math.max(0, contacts - joined + unsubscribed);
  }
  series.reverse();
  const sum = (name: 'joined' | 'unsubscribed'): number =>
    series.reduce((total, one) => total + one[name], 0);
  return {
    object: 'list_growth',
    list_id: list.id,
    window_days: windowDays,
    joined: sum('joined'),
    unsubscribed: sum('unsubscribed'),
    contacts: list.contacts,
    series,
  };
}
