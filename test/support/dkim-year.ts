// Simulates a long time in the life of four sending domains, one of each kind: rotations by age and by request, an emergency, a
// late customer, one who changes to aliases, and restarts.
import { createDice } from './dice.js';
import { startDkimWorld } from './dkim-world.js';
import { SQLITE } from './open-engines.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface DkimYear {
  days: number;
  rotationMs: number;
  overlapMs: number;
  revokedKeepMs: number;
  /** An hour and five minutes, as shipped. */
  settleMs?: number;
  reusedNameMs?: number;
  /** Between two looks while nothing is going on. */
  usualStepMs: number;
  seed: number;
}

export async function runDkimYear(year: DkimYear) {
  const dice = createDice(year.seed);
  const world = await startDkimWorld(SQLITE, dice, {
    lifecycle: {
      settleMs: year.settleMs ?? HOUR,
      reusedNameMs: year.reusedNameMs ?? 5 * MINUTE,
      overlapMs: year.overlapMs,
      revokedKeepMs: year.revokedKeepMs,
    },
    rotationMs: year.rotationMs,
    failing: 0.05,
  });
  try {
    const prompt = await world.addTenant('prompt', 'txt', 1);
    const late = await world.addTenant('late', 'txt', 0.15);
    const aliased = await world.addTenant('aliased', 'cname', 0);
    const below = await world.addTenant('below', 'zone', 0);
    const tenants = [prompt, late, aliased, below];
    for (const tenant of tenants) await world.publish(tenant);
    await world.step(MINUTE);
    await world.step(MINUTE);
    const start = world.clock.now();
    /** Once, at the given share of the time. */
    const plans = [
      { at: 0.3, does: () => world.rotate(prompt).catch(refused) },
      { at: 0.45, does: () => world.rotate(aliased).catch(refused) },
      { at: 0.5, does: () => world.rotate(late, { mode: 'cname' }).catch(refused) },
      { at: 0.6, does: () => world.rotate(below, { emergency: true }) },
      { at: 0.8, does: () => world.rotate(aliased, { emergency: true }) },
    ];
    let refusals = 0;
    function refused(): void {
      refusals += 1;
    }
    const heldSince = new Map<string, number>();
    let longestHoldMs = 0;
    let steps = 0;
    const keysOfAll = () => Promise.all(tenants.map((tenant) => world.keysOf(tenant)));
    let keys = await keysOfAll();
    while (world.clock.now() - start < year.days * DAY) {
      const share = (world.clock.now() - start) / (year.days * DAY);
      if (plans[0] && share >= plans[0].at) {
        await plans.shift()?.does();
        keys = await keysOfAll();
      }
      if (dice.chance(0.01)) world.restart();
      const isHeld = heldSince.size > 0;
      const all = keys.flat();
      const isSettling = all.some(
        ({ state, algorithm }) => state === 'published' && algorithm === 'rsa-sha256',
      );
      const isEnding = all.some(({ state, revoke_at }) => state === 'retiring' && revoke_at !== null);
      await world.step(isHeld || isEnding ? MINUTE : isSettling ? 10 * MINUTE : year.usualStepMs);
      steps += 1;
      keys = await keysOfAll();
      for (const [index, tenant] of tenants.entries()) {
        const isSigned = (keys[index] ?? []).some(
          ({ state, algorithm }) => state === 'active' && algorithm === 'rsa-sha256',
        );
        const now = world.clock.now();
        if (isSigned) heldSince.delete(tenant.id);
        else heldSince.set(tenant.id, heldSince.get(tenant.id) ?? now);
        longestHoldMs = Math.max(longestHoldMs, now - (heldSince.get(tenant.id) ?? now));
      }
    }
    const completed: Record<string, number> = {};
    for (const tenant of tenants) {
      const trail = await world.trailOf(tenant);
      completed[tenant.domain] = trail.filter((event) => event === 'dkim_rotation_completed').length;
    }
    return { ...world.told, longestHoldMs, completed, steps, refusals };
  } finally {
    await world.close();
  }
}
