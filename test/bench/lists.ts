// Measures the lists of contacts and campaigns with a thousand and with a million contacts.
import type { Appliance } from './appliance.js';
import { addList, watch } from './audience.js';
import { HTML, SENDER_DOMAIN } from './mail.js';
import { say, type Figures } from './print.js';
import { withAppliance, type World } from './world.js';

const SMALL = 1_000;
const TIMES = 15;
/** Maximum time for repeating slow requests. */
const REPEAT_MS = 2_000;
const PROBE_EVERY_MS = 2;

export const listSizes = ({ depths }: World): number[] => [
  SMALL,
  Math.max(SMALL, depths.at(-1) ?? SMALL) * 10,
];

/** Runs one program per size. The large size is ten times the last of `--depths`. */
export async function lists(world: World): Promise<Figures> {
  const figures: Figures = {};
  for (const count of listSizes(world)) {
    const size = count.toLocaleString('en');
    await withAppliance(world, {}, async (appliance) => {
      await appliance.api('PATCH', '/v1/organization', { postal_address: 'Bench Ltd, 1 Test Street' });
      const begun = performance.now();
      const id = await addList(appliance, { name: 'All', count, first: 0, isMixed: true });
      say(`  ${size} contacts written in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
      const paths = await pathsOf(appliance, id, count);
      for (const [label, path] of Object.entries(paths)) {
        Object.assign(figures, await timesOf(appliance, `${label}, ${size}`, path));
      }
    });
  }
  return figures;
}

async function pathsOf(appliance: Appliance, listId: string, count: number): Promise<Record<string, string>> {
  const template = await appliance.api('POST', '/v1/templates', {
    ...{
      name: 'News',
      subject: 'News for {{first_name}}',
      html: `<p>Hi {{first_name}} of {{city}}</p>${HTML}`,
    },
  });
  const segment = await appliance.api('POST', '/v1/lists', {
    name: 'Of one city',
    filter: { all: [{ field: 'metadata.city', op: 'eq', value: 'City 7' }] },
  });
  const campaignOn = async (list_id: unknown, more: Record<string, unknown> = {}): Promise<string> => {
    const made = await appliance.api('POST', '/v1/campaigns', {
      ...{ name: 'News', list_id, template_id: template['id'], from: `orders@${SENDER_DOMAIN}` },
      ...more,
    });
    return String(made['id']);
  };
  const whole = await campaignOn(listId);
  const tagged = await campaignOn(listId, { segment_tag: 't7' });
  const ofSegment = await campaignOn(segment['id']);
  const middle = `r${String(Math.floor(count / 2)).padStart(8, '0')}`;
  return {
    contacts: '/v1/contacts',
    'contacts?status': '/v1/contacts?status=bounced',
    'contacts?tag': '/v1/contacts?tag=t7',
    'contacts?q of one': `/v1/contacts?q=${middle}`,
    'contacts?q of all': '/v1/contacts?q=person',
    'contacts?q of nobody': '/v1/contacts?q=zebra',
    'contacts?q of two letters': '/v1/contacts?q=r0',
    'contacts?tag&q': `/v1/contacts?tag=t0&q=${middle}`,
    'contacts?tag&status': '/v1/contacts?tag=t3&status=bounced',
    'contacts?list_id': `/v1/contacts?list_id=${listId}`,
    'contacts?list_id&tag&status': `/v1/contacts?list_id=${listId}&tag=t3&status=bounced`,
    'contacts?list_id of a segment': `/v1/contacts?list_id=${String(segment['id'])}`,
    lists: '/v1/lists',
    'lists/:id/contacts': `/v1/lists/${listId}/contacts`,
    'lists/:id/contacts of a segment': `/v1/lists/${String(segment['id'])}/contacts`,
    'lists/:id/tags': `/v1/lists/${listId}/tags`,
    campaigns: '/v1/campaigns',
    'campaign preview': `/v1/campaigns/${whole}/preview`,
    'campaign preview, by tag': `/v1/campaigns/${tagged}/preview`,
    'campaign preview, segment': `/v1/campaigns/${ofSegment}/preview`,
    'campaign preflight': `/v1/campaigns/${whole}/preflight`,
  };
}

/** Measures the first response, later ones, and the longest wait of another request during the first. */
async function timesOf(appliance: Appliance, label: string, path: string): Promise<Figures> {
  const timed = async (): Promise<number> => {
    const begun = performance.now();
    await appliance.api('GET', path);
    return performance.now() - begun;
  };
  const others = watch('others', PROBE_EVERY_MS, () => appliance.api('GET', '/v1/messages?limit=1'));
  const first = await timed();
  const { 'others, most ms': wait = NaN } = await others.end();
  const again: number[] = [];
  const until = performance.now() + REPEAT_MS;
  while (again.length < TIMES && (again.length === 0 || performance.now() < until)) again.push(await timed());
  again.sort((a, b) => a - b);
  return {
    [`${label}: first ms`]: first,
    [`${label}: median ms`]: again[Math.floor(again.length / 2)] ?? NaN,
    [`${label}: others waited at most, ms`]: wait,
  };
}
