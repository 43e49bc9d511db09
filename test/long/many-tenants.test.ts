// Tests a thousand sub-tenants for thirty simulated days, ten of them bad, with a window of a week. The bad ones are warned,
// throttled or paused and released within one sweep of crossing the level, and no others are. Prints figures; MANY_TENANTS and
// MANY_TENANTS_DAYS change the size.
import { afterEach, expect, it, vi } from 'vitest';
import { runManyTenants, type Habit, type ManyTenantsFigures } from '../support/many-tenants.js';

const TENANTS = Number(process.env['MANY_TENANTS'] ?? 1_000);
const DAYS = Number(process.env['MANY_TENANTS_DAYS'] ?? 30);

afterEach(() => {
  vi.useRealTimers();
});

const BAD: Habit[] = [
  { kind: 'bad', perWindow: 1_400, complaints: 0.004, from: 3 },
  { kind: 'bad', perWindow: 1_050, complaints: 0.01, from: 5 },
  { kind: 'bad', perWindow: 1_050, complaints: 0.03, from: 10 },
  { kind: 'bad', perWindow: 700, complaints: 0.1, from: 8.5 },
  { kind: 'bad', perWindow: 2_100, complaints: 0.005 },
  // Above the warning level only: one in 550 and one in 700.
  { kind: 'bad', perWindow: 1_400, everyDelivered: 550, from: 8 },
  { kind: 'bad', perWindow: 1_400, everyDelivered: 700, from: 8 },
  // Bad for three days, and never again.
  { kind: 'bad', perWindow: 1_050, complaints: 0.02, from: 4, to: 7 },
  { kind: 'bad', perWindow: 350, complaints: 0.05, from: 6, to: 6.5 },
  { kind: 'bad', perWindow: 700, bounces: 0.2, from: 9 },
];
const good = { quiet: TENANTS - 40 - 40 - BAD.length, near: 40, small: 40 };
const options = { good, bad: BAD, days: DAYS, windowDays: 7, seed: 1 };

function print(what: string, figures: ManyTenantsFigures): void {
  const { tenants, days, messages, events, sweeps, restarts, throttledMessages, told } = figures;
  const ms = ({ mean, most }: { mean: number; most: number }): string =>
    `${mean.toFixed(0)} ms each, at most ${most.toFixed(0)} ms`;
  console.log(
    `${what}: ${tenants} sub-tenants, ${days} days, ${messages} messages, ${events} events, ${restarts} restarts; ` +
      `${throttledMessages} went under a throttle; ${sweeps} sweeps of ${ms(figures.sweepMs)}; ` +
      `counting before them ${ms(figures.countMs)}; told: ${JSON.stringify(told)}`,
  );
}

it('ten bad sub-tenants of a thousand are warned, throttled and freed, in order across restarts', async () => {
  const figures = await runManyTenants({ ...options, pauses: false });
  print('throttles', figures);
  expect(figures.told['tenant_throttled']).toBeGreaterThan(0);
  expect(figures.told['tenant_paused']).toBeUndefined();
});

it('they are paused with the option on', async () => {
  const figures = await runManyTenants({ ...options, pauses: true });
  print('pauses', figures);
  expect(figures.told['tenant_paused']).toBeGreaterThan(0);
});
