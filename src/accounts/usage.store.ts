// Counts live sends by environment, UTC day and type, and messages by API key, including the sandbox. Within a group commit, each
// counter is written once. A plan that would exceed the organization's limits is refused when it is applied, so that concurrent
// plans cannot exceed them together.
import type { MessageType } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import {
  describeLimit,
  noSends,
  quotaResult,
  usageDays,
  type PlanLimits,
  type PlanLimitState,
  type PlanUsage,
} from './quota.rules.js';
import {
  keyLimitProblem,
  keyPeriods,
  type KeyLimitProblem,
  type KeyLimits,
} from './api-keys/key-limits.rules.js';
import type { ApiKey } from './api-keys/api-keys.tables.js';
import { defineChange } from '../database/change.js';
import type { Engine, Tx } from '../database/engine/engine.js';
import { rowsAs } from '../database/sql.js';
import type { Part } from '../database/parts.js';

const ADD = `INSERT INTO usage (environment_id, day, type, sends) VALUES (?, ?, ?, ?)
  ON CONFLICT (environment_id, day, type) DO UPDATE SET sends = usage.sends + excluded.sends`;
const ADD_OF_KEY = `INSERT INTO api_key_days (api_key_id, day, messages) VALUES (?, ?, ?)
  ON CONFLICT (api_key_id, day) DO UPDATE SET messages = api_key_days.messages + excluded.messages`;
const HOUR_OF_KEY = 'SELECT counted_hour, hour_messages FROM api_keys WHERE id = ?';
const DAY_OF_KEY = 'SELECT messages FROM api_key_days WHERE api_key_id = ? AND day = ?';
const ADD_TO_HOUR = `UPDATE api_keys SET hour_messages = CASE WHEN counted_hour = ? THEN hour_messages + ? ELSE ? END,
  counted_hour = ? WHERE id = ?`;
const TAKE_BACK = `UPDATE usage SET sends = CASE WHEN sends > ? THEN sends - ? ELSE 0 END
  WHERE environment_id = ? AND day = ? AND type = ?`;
const OF_ORGANIZATION = `SELECT u.day, u.type, u.sends FROM usage u JOIN environments e ON e.id = u.environment_id
  JOIN workspaces w ON w.id = e.workspace_id
  WHERE w.organization_id = ? AND e.mode = 'live' AND u.day >= ?`;
const OF_ENVIRONMENT = 'SELECT day, type, sends FROM usage WHERE environment_id = ? AND day >= ?';
const LIVE_ENVIRONMENTS = `SELECT e.id FROM environments e JOIN workspaces w ON w.id = e.workspace_id
  WHERE w.organization_id = ? AND e.mode = 'live'`;

interface Count {
  environmentId: number;
  day: number;
  type: MessageType;
  /** Negative if sends are returned. */
  sends: number;
}

interface KeyHour {
  keyId: string;
  /** Hours since the epoch. */
  hour: number;
  messages: number;
}

/** Counts of a key before the transaction. */
interface CountsOfKey {
  hour: number | null;
  hourMessages: number;
  dayMessages: number;
}

interface DayCount {
  day: number;
  type: MessageType;
  sends: number;
}

type Days = ReturnType<typeof usageDays>;

/** Messages that were submitted with an API key. */
interface KeyUse {
  keyId: string;
  /** Days since the epoch in UTC. */
  day: number;
  messages: number;
}

/** Messages that a key with a send policy submits, and what its policy allows. */
interface KeyRequest {
  keyId: string;
  limits: KeyLimits;
  asked: number;
  now: number;
}

interface QuotaRequest {
  organizationId: string;
  limits: PlanLimits;
  type: MessageType;
  asked: number;
  now: number;
}

export const countUse = defineChange<Count>('count-use', (writing, count) => writing.part(usage).add(count), {
  readsGathered: false,
});

export const countKeyUse = defineChange<KeyUse>(
  'count-key-use',
  (writing, use) => writing.part(usage).addOfKey(use),
  { readsGathered: false },
);

/** Refuses the plan with `quota_exceeded` if the organization may not send that many more. Precedes the changes that it covers. */
export const checkQuota = defineChange<QuotaRequest>(
  'check-quota',
  (writing, request) => writing.part(usage).hold(request),
  { readsGathered: false },
);

/**
 * Refuses the plan with `policy_violation` if the key's policy does not allow that many more messages in this hour or day. Precedes
 * the changes that it covers, and counts the hour; `countKeyUse` counts the day.
 */
export const checkKeyLimits = defineChange<KeyRequest>(
  'check-key-limits',
  (writing, request) => writing.part(usage).holdKey(request),
  { readsGathered: false },
);

interface UsageOfPlan {
  add(count: Count): void;
  addOfKey(use: KeyUse): void;
  /** Throws the Refusal `policy_violation` if the key's policy does not allow the messages with all that were added before. */
  holdKey(request: KeyRequest): Promise<void>;
  /** Throws the Refusal `quota_exceeded` if that many more sends, with all that were added before, exceed the plan. */
  hold(request: QuotaRequest): Promise<void>;
}

/** Counters of one transaction, each written once. */
export const usage: Part<UsageOfPlan> = {
  order: 1,
  open: (tx, engine) => openUsage(tx, engine),
};

function openUsage(tx: Tx, engine: Pick<Engine, 'forUpdate'>) {
  const kept = new Map<string, Count>();
  const known = new Map<string, Promise<{ environmentIds: Set<number>; saved: DayCount[] }>>();
  const keys = new KeyCounters(tx, engine);

  /** Usage before the transaction, read once. On several nodes, the next one waits here until this one has committed. */
  function savedOf(organizationId: string, { monthStart }: Days) {
    const key = `${organizationId}/${monthStart}`;
    let saved = known.get(key);
    if (!saved) {
      saved = (async () => {
        await tx.run(`SELECT id FROM organizations WHERE id = ? ${engine.forUpdate}`, [organizationId]);
        const environments = await rowsAs<{ id: number }>(tx.run(LIVE_ENVIRONMENTS, [organizationId]));
        return {
          environmentIds: new Set(environments.map(({ id }) => id)),
          saved: await rowsAs<DayCount>(tx.run(OF_ORGANIZATION, [organizationId, monthStart])),
        };
      })();
      known.set(key, saved);
    }
    return saved;
  }

  class PlanUsage implements UsageOfPlan {
    readonly added: Count[] = [];
    readonly ofKeys: AddedOfKeys = { days: [], hours: [] };

    add(count: Count): void {
      this.added.push(count);
    }

    addOfKey(use: KeyUse): void {
      this.ofKeys.days.push(use);
    }

    holdKey(request: KeyRequest): Promise<void> {
      return keys.hold(request, this.ofKeys);
    }

    async hold({ organizationId, limits, type, asked, now }: QuotaRequest): Promise<void> {
      const days = usageDays(now);
      const { environmentIds, saved } = await savedOf(organizationId, days);
      const unsaved = [...kept.values(), ...this.added].filter((one) =>
        environmentIds.has(one.environmentId),
      );
      const used = usedOf([...saved, ...unsaved], days);
      const result = quotaResult({ plan: limits, used, type, asked, now });
      if (!result.isAllowed) throw exceeded(result);
    }
  }

  return {
    forPlan: () => new PlanUsage(),
    keep({ added, ofKeys }: PlanUsage) {
      keys.keep(ofKeys);
      for (const count of added) {
        const key = `${count.environmentId}/${count.day}/${count.type}`;
        const before = kept.get(key);
        if (before) before.sends += count.sends;
        else kept.set(key, { ...count });
      }
    },
    save() {
      keys.save();
      for (const { environmentId, day, type, sends } of kept.values()) {
        const key = [environmentId, day, type];
        if (sends > 0) tx.post(ADD, [...key, sends]);
        // Never below zero, even if the counter changed in the meantime.
        if (sends < 0) tx.post(TAKE_BACK, [-sends, -sends, ...key]);
      }
    },
  };
}

/** Messages of one plan by API key. */
interface AddedOfKeys {
  days: KeyUse[];
  hours: KeyHour[];
}

/** Counters of API keys in one transaction. */
class KeyCounters {
  readonly #tx: Tx;
  readonly #engine: Pick<Engine, 'forUpdate'>;
  readonly #days = new Map<string, KeyUse>();
  readonly #hours = new Map<string, KeyHour>();
  readonly #saved = new Map<string, Promise<CountsOfKey>>();

  constructor(tx: Tx, engine: Pick<Engine, 'forUpdate'>) {
    this.#tx = tx;
    this.#engine = engine;
  }

  /** Throws the Refusal `policy_violation` if the key has no messages left, with those that its plan has added. */
  async hold({ keyId, limits, asked, now }: KeyRequest, added: AddedOfKeys): Promise<void> {
    const { hour, day } = keyPeriods(now);
    const saved = await this.#savedOf(keyId, day);
    const inHour = [...this.#hours.values(), ...added.hours];
    const inDay = [...this.#days.values(), ...added.days];
    const used = {
      hour:
        (saved.hour === hour ? saved.hourMessages : 0) +
        sumOf(inHour.filter((one) => one.keyId === keyId && one.hour === hour)),
      day: saved.dayMessages + sumOf(inDay.filter((one) => one.keyId === keyId && one.day === day)),
    };
    const exceededLimit = keyLimitProblem(limits, used, { asked, now });
    if (exceededLimit !== null) throw keyLimitExceeded(exceededLimit);
    if (limits.max_per_hour !== null) added.hours.push({ keyId, hour, messages: asked });
  }

  keep({ days, hours }: AddedOfKeys): void {
    for (const use of hours) addTo(this.#hours, `${use.keyId}/${use.hour}`, use);
    for (const use of days) addTo(this.#days, `${use.keyId}/${use.day}`, use);
  }

  save(): void {
    for (const { keyId, hour, messages } of this.#hours.values()) {
      this.#tx.post(ADD_TO_HOUR, [hour, messages, messages, hour, keyId]);
    }
    for (const { keyId, day, messages } of this.#days.values()) {
      this.#tx.post(ADD_OF_KEY, [keyId, day, messages]);
    }
  }

  #savedOf(keyId: string, day: number): Promise<CountsOfKey> {
    const key = `${keyId}/${day}`;
    const counts = this.#saved.get(key) ?? readCountsOfKey(this.#tx, this.#engine, keyId, day);
    this.#saved.set(key, counts);
    return counts;
  }
}

function addTo<T extends { messages: number }>(counters: Map<string, T>, key: string, use: T): void {
  const messages = (counters.get(key)?.messages ?? 0) + use.messages;
  counters.set(key, { ...use, messages });
}

async function readCountsOfKey(
  tx: Tx,
  { forUpdate }: Pick<Engine, 'forUpdate'>,
  keyId: string,
  day: number,
): Promise<CountsOfKey> {
  // Locks the key's row. On several nodes, the next one waits here until this one has committed, and reads the day after that.
  const [key] = await rowsAs<Pick<ApiKey, 'counted_hour' | 'hour_messages'>>(
    tx.run(`${HOUR_OF_KEY} ${forUpdate}`, [keyId]),
  );
  const [today] = await rowsAs<{ messages: number }>(tx.run(DAY_OF_KEY, [keyId, day]));
  return {
    hour: key?.counted_hour ?? null,
    hourMessages: key?.hour_messages ?? 0,
    dayMessages: today?.messages ?? 0,
  };
}

function sumOf(counts: readonly { messages: number }[]): number {
  return counts.reduce((sum, { messages }) => sum + messages, 0);
}

function keyLimitExceeded({ field, message, limit, used, resetsAt }: KeyLimitProblem): Refusal {
  const details = { policy_field: field, limit, used, resets_at: new Date(resetsAt).toISOString() };
  return new Refusal('policy_violation', message, { details });
}

export function createUsageStore(engine: Engine) {
  return {
    /** Returns live sends of all workspaces of an organization on one UTC day and since the first of its month. */
    async ofOrganization(organizationId: string, days: Days): Promise<PlanUsage> {
      const values = [organizationId, days.monthStart];
      return usedOf(await rowsAs<DayCount>(engine.rows(OF_ORGANIZATION, values)), days);
    },

    async ofEnvironment(environmentId: number, days: Days): Promise<PlanUsage> {
      const values = [environmentId, days.monthStart];
      return usedOf(await rowsAs<DayCount>(engine.rows(OF_ENVIRONMENT, values)), days);
    },
  };
}

function usedOf(counts: readonly DayCount[], { today, monthStart }: Days): PlanUsage {
  const used: PlanUsage = { day: noSends(), month: noSends() };
  for (const { day, type, sends } of counts) {
    if (day === today) used.day[type] += sends;
    if (day >= monthStart) used.month[type] += sends;
  }
  return used;
}

function exceeded(state: PlanLimitState): Refusal {
  const { period, type, limit, used, resetsAt } = state;
  return new Refusal('quota_exceeded', describeLimit(state), {
    details: {
      period,
      ...(type === null ? {} : { type }),
      limit,
      used,
      resets_at: new Date(resetsAt).toISOString(),
    },
  });
}
