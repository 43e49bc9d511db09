// Kills the server at random moments while a campaign is frozen, fanned out and delivered, and checks who has a message, who has
// mail, and whether the trail reports everyone else as in doubt.
import { setTimeout as pause } from 'node:timers/promises';
import {
  countTrail,
  measuresOf,
  namesOf,
  startCampaignProgram,
  type CampaignProgram,
} from './campaign-program.js';
import { waitFor } from './wait.js';

export interface CampaignKills {
  recipients: number;
  kills: number;
  deadlineMs: number;
  env?: Record<string, string>;
}

export interface CampaignKillResult {
  /** At each kill. */
  moments: string[];
  /** Recipients of the frozen audience, by state. */
  states: Record<string, number>;
  messages: number;
  /** Recipients without a message, or with more than one. */
  mismatched: number;
  /** Addresses with two mails or more. */
  doubles: string[];
  /** Addresses without mail. */
  none: string[];
  /** Those of them whose trail does not report their copy as in doubt. */
  unlisted: string[];
  /** All whose trail reports it. */
  ambiguous: number;
  /** The statistics of the campaign, in total and summed over its series, and those of the workspace. */
  measures: Record<string, number>;
  series: Record<string, number>;
  workspace: Record<string, number>;
  /** The same counted in the trail. */
  trail: Record<string, number>;
}

const AGREE = `WITH given (id) AS (VALUES (?)) SELECT COUNT(*) AS n FROM
  (SELECT r.message_id FROM campaign_recipients r LEFT JOIN messages m
     ON m.id = r.message_id AND m.campaign_id = r.campaign_id AND m.to_key = r.email_key
   WHERE r.campaign_id = (SELECT id FROM given) AND m.id IS NULL
   UNION ALL
   SELECT MIN(m.id) FROM messages m WHERE m.campaign_id = (SELECT id FROM given) GROUP BY m.to_key HAVING COUNT(*) <> 1
   UNION ALL
   SELECT m.id FROM messages m WHERE m.campaign_id = (SELECT id FROM given) AND m.id NOT IN
     (SELECT message_id FROM campaign_recipients
      WHERE campaign_id = (SELECT id FROM given) AND message_id IS NOT NULL)) AS wrong`;
const AMBIGUOUS = `SELECT DISTINCT m.to_key AS email FROM events e JOIN messages m ON m.id = e.message_id
  WHERE m.campaign_id = ? AND e.detail LIKE '%"ambiguous":true%'`;

type Measures = Record<string, number>;

export async function runCampaignWithKills(run: CampaignKills): Promise<CampaignKillResult> {
  const program = await startCampaignProgram({ env: { ...run.env } });
  try {
    const names = namesOf(run.recipients);
    const list = await program.addList(names);
    const id = await program.addCampaign(list);
    await program.act(id, 'send');
    const moments = await killAtRandom(program, id, run);
    await program.reachedBy(id, 'sent', run.deadlineMs);
    return await countUp(program, id, { names, moments });
  } finally {
    await program.close();
  }
}

/** At a random moment of the freeze, of each part of the fan-out, and of each part of the delivery. */
async function killAtRandom(
  program: CampaignProgram,
  id: string,
  { recipients, kills, deadlineMs }: CampaignKills,
): Promise<string[]> {
  const moments: string[] = [];
  const deadline = Date.now() + deadlineMs;
  const until = async (name: string, reach: number, now: () => number | Promise<number>): Promise<void> => {
    const isReached = (found: number): boolean => found >= reach;
    await waitFor(`${name} to be ${reach}`, now, isReached, deadline - Date.now());
    await pause(Math.random() * 200);
    await program.appliance.end('SIGKILL');
    const { total, created } = await counters(program, id);
    moments.push(`frozen ${total}, created ${created}, arrived ${program.mails().length}`);
    await (moments.length === kills ? program.appliance.startHere() : program.appliance.start());
  };
  await until('the audience', 1, async () => (await counters(program, id)).total);
  const inFanOut = Math.floor((kills - 1) / 3);
  const inDelivery = kills - 1 - inFanOut;
  // All copies are created soon, long before they arrive.
  const reachOf = (part: number, parts: number): number =>
    Math.floor((recipients * (part + Math.random()) * 0.95) / parts);
  for (let part = 0; part < inFanOut; part++) {
    await until('what is made', reachOf(part, inFanOut), async () => (await counters(program, id)).created);
  }
  for (let part = 0; part < inDelivery; part++) {
    await until('what arrived', reachOf(part, inDelivery), () => program.mails().length);
  }
  return moments;
}

async function counters(program: CampaignProgram, id: string): Promise<{ total: number; created: number }> {
  const [row] = await program.appliance.query('SELECT total, created FROM campaigns WHERE id = ?', id);
  return { total: Number(row?.['total'] ?? 0), created: Number(row?.['created'] ?? 0) };
}

async function countUp(
  program: CampaignProgram,
  id: string,
  { names, moments }: { names: readonly string[]; moments: string[] },
): Promise<CampaignKillResult> {
  const { totals, series } = (await program.counted(id)) as { totals: Measures; series: Measures[] };
  const workspace = (await program.ask('GET', '/v1/analytics?window_days=2')) as { totals: Measures };
  const copies = program.copies();
  const { query } = program.appliance;
  const listed = new Set((await query(AMBIGUOUS, id)).map(({ email }) => email));
  const none = names.map(program.addressOf).filter((address) => !copies.has(address));
  const states = await query(
    'SELECT state, COUNT(*) AS n FROM campaign_recipients WHERE campaign_id = ? GROUP BY state',
    id,
  );
  const [messages] = await query('SELECT COUNT(*) AS n FROM messages WHERE campaign_id = ?', id);
  const [mismatched] = await query(AGREE, id);
  const trail = measuresOf(await countTrail(program, id));
  return {
    moments,
    states: Object.fromEntries(states.map(({ state, n }) => [String(state), Number(n)])),
    messages: Number(messages?.['n']),
    mismatched: Number(mismatched?.['n']),
    doubles: [...copies].filter(([, count]) => count > 1).map(([address]) => address),
    none,
    unlisted: none.filter((address) => !listed.has(address)),
    ambiguous: listed.size,
    measures: among(trail, (name) => totals[name]),
    series: among(trail, (name) => series.reduce((sum, row) => sum + (row[name] ?? 0), 0)),
    workspace: among(trail, (name) => workspace.totals[name]),
    trail,
  };
}

function among(names: Measures, valueOf: (name: string) => number | undefined): Measures {
  return Object.fromEntries(Object.keys(names).map((name) => [name, valueOf(name) ?? -1]));
}
