// `npm run bench`: what the real program does a second, and what a message costs it. See docs/benchmarks.md.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SCENARIOS, type Scenario } from './scenarios.js';
import { loadLine, machineLine } from './proc.js';
import { printFigures, say } from './print.js';
import { printSmtpClients } from './smtp-client.js';
import { comparePostfix } from './postfix.js';
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
    profile: { type: 'string' },
    compare: { type: 'boolean', default: false },
  },
});

async function measure(world: World, name: string, scenario: Scenario): Promise<void> {
  const runs = [];
  for (let run = 0; run < world.runs; run += 1) runs.push(await scenario.run(world));
  printFigures(`${name}: ${scenario.title(world)} [load now ${loadLine()}]`, runs);
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
  const world = await openWorld({
    dir,
    messages: Number(values.messages),
    connections: Number(values.connections),
    depths: values.depths.split(',').map(Number),
    runs: Number(values.runs),
    profileTo: values.profile === undefined ? null : resolve(values.profile),
  });
  try {
    for (const name of names) {
      const scenario = SCENARIOS[name];
      if (scenario) await measure(world, name, scenario);
    }
    if (isCompared) await comparePostfix(world);
  } finally {
    await world.close();
  }
}

process.once('SIGINT', () => process.exit(130));
await main();
