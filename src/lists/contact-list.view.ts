// Lists, their members and their growth as /v1 shows them.
import { wireOf } from '../contract/codec.js';
import { contactListObject, type ListGrowthWire, type ListMemberWire } from './contact-list.schema.js';
import type { ListDay, Member } from '../contacts/lists/lists.store.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import { presentContact } from '../contacts/contact.view.js';
import { isoOrNull } from '../contract/time.js';

const DAY_MS = 86_400_000;

/** The context is the URL of the sign-up page; null without one. */
export const presentContactList = wireOf(contactListObject).from<ContactList, string | null>({
  counted_at: (row) => isoOrNull(row.counted_at),
  sign_up_url: (_row, url) => url,
  publishable_key: 'form_key',
});

export function presentMember({ contact, state, joinedAt }: Member): ListMemberWire {
  return { ...presentContact(contact), list_state: state, joined_at: isoOrNull(joinedAt) };
}

/** Presents every day of the window up to `today` (days since the epoch), computed back from the current number. */
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
    // Deleted contacts are not counted by day, so past numbers may be too small, but never negative.
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
