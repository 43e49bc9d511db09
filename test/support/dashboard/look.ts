// Runs the filled program until Ctrl-C, to preview the dashboard. See CONTRIBUTING.md, "Preview the dashboard".
import { fillWorld } from '../dashboard-world.js';
import { OWNER, startDashboardProgram } from './program.js';

const port = Number(process.env['MAILKEEL_HTTP_PORT'] ?? 8090);
const startedAt = Date.now();
const program = await startDashboardProgram({ port });

function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    program.close().then(
      () => process.exit(0),
      (error: unknown) => {
        say([String(error)]);
        process.exit(1);
      },
    );
  });
}

const { url, keys, dataDir } = program.appliance;
say(['', `  Address      ${url}/`, `  Sign in as   ${OWNER.email}`, `  Password     ${OWNER.password}`]);
say([`  Live key     ${keys.live_key}`, `  Test key     ${keys.test_key}`, `  Data folder  ${dataDir}`]);
say(['', 'Filling it …']);
if (process.env['EMPTY'] !== '1') say([JSON.stringify(await fillWorld(program), null, 1)]);
say([`Ready after ${Math.round((Date.now() - startedAt) / 1000)} s. Ctrl-C ends it and removes the folder.`]);
