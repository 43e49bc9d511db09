// `npm run bench` measures how many messages the real program handles per second, and the cost per message. See
// docs/benchmarks.md.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CPU, DELIVERED, SCENARIOS, type Scenario } from './scenarios.js';
import { loadLine, machineLine } from './proc.js';
import { printFigures, say, type Figures } from './print.js';
import { measureRsa, type RsaRates } from './rsa-rate.js';
import { printSmtpClients } from './smtp-client.js';
import { comparePostfix, RIVAL_CPU, RIVAL_DELIVERED } from './postfix.js';
import { openWorld, type World } from './world.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    messages: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '20' },
    depths: { type: 'string', default: '1000,10000,100000' },
    runs: { type: 'string', default: '1' },
    dir: { type: 'string', default: '.bench' },
    cpu: { type: 'string' },
    profile: { type: 'string' },
    compare: { type: 'boolean', default: false },
    postgres: { type: 'string' },
  },
});

async function measure(world: World, name: string, scenario: Scenario, rsa: RsaRates): Promise<Figures> {
  const runs = [];
  for (let run = 0; run < world.runs; run += 1) runs.push(await scenario.run(world));
  return printFigures(`${name}: ${scenario.title(world)} [load now ${loadLine()}]`, runs, rsa);
}

/** For scenarios that Postfix was measured in as well: the ratio of the rates, and of the CPU. */
function printRatios(ours: ReadonlyMap<string, Figures>, rival: Figures): void {
  say('');
  for (const [name, figures] of ours) {
    const rate = figures[DELIVERED];
    const cpu = figures[CPU];
    if (rate === undefined || cpu === undefined) continue;
    const times = (rate / (rival[RIVAL_DELIVERED] ?? NaN)).toFixed(2);
    const part = (cpu / (rival[RIVAL_CPU] ?? NaN)).toFixed(2);
    say(`${name} beside Postfix + OpenDKIM: ${times} times the rate, ${part} of the CPU`);
  }
}

async function main(): Promise<void> {
  if (positionals[0] === 'smtp-client') return printSmtpClients();
  const wanted = values.only?.split(',') ?? Object.keys(SCENARIOS);
  const isCompared = values.compare || wanted.includes('compare');
  const names = wanted.filter((name) => name !== 'compare');
  const unknown = names.filter((name) => !(name in SCENARIOS));
  if (unknown.length > 0 || positionals.length > 0) {
    const known = [...Object.keys(SCENARIOS), 'compare'].join(', ');
    throw new Error(
      `Unknown: ${[...unknown, ...positionals].join(', ')}. Scenarios: ${known}; also smtp-client.`,
    );
  }
  const dir = resolve(values.dir);
  mkdirSync(dir, { recursive: true });
  say(machineLine(dir));
  const rsa = measureRsa();
  say(
    `RSA-2048 signatures a second of one core: ${Math.round(rsa.asItIs)}, without AVX-512 IFMA ${Math.round(rsa.scalar)}`,
  );
  const world = await openWorld({
    dir,
    messages: Number(values.messages),
    connections: Number(values.connections),
    depths: values.depths.split(',').map(Number),
    runs: Number(values.runs),
    cores: values.cpu === undefined ? null : Number(values.cpu),
    profileTo: values.profile === undefined ? null : resolve(values.profile),
    postgresUrl: values.postgres ?? null,
  });
  try {
    const measured = new Map<string, Figures>();
    for (const name of names) {
      const scenario = SCENARIOS[name];
      if (scenario) measured.set(name, await measure(world, name, scenario, rsa));
    }
    const rival = isCompared ? await comparePostfix(world, rsa) : null;
    if (rival !== null) printRatios(measured, rival);
  } finally {
    await world.close();
  }
}

process.once('SIGINT', () => process.exit(130));
await main();
