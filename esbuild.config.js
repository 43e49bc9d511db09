// Bundles the program for Node, so that a start reads a dozen files instead of two thousand. `npm run types` checks the types.
// Also packs the SDK and the command line, which the program serves, and builds the dashboard. With --tests, the modules that
// tests load prebuilt become entries, each module is also compiled separately, and the dashboard is skipped unless --dashboard is
// given, because most tests do not need it. Does nothing if nothing has changed since the last build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { generateClients } from './clients/generate.js';
import { writeContents } from './docker/contents.js';
import { libraryEntries } from './docker/library-entries.js';

const PROGRAMS = [
  'src/main.ts',
  'src/admin/main.ts',
  'src/settings/process-config.ts',
  'src/database/engine/reader-worker.ts',
  'src/database/engine/file-worker.ts',
  'src/database/engine/write-back-worker.ts',
  'src/inbound/classify/mail-worker.ts',
  'src/app/delivery-worker.ts',
  'src/templates/rendering/render-worker.ts',
  'src/operations/telemetry/telemetry-worker.ts',
  'src/app/standby-worker.ts',
  'src/replica/shipper-worker.ts',
];
const FOR_TESTS = [
  'src/admin/bootstrap.ts',
  'src/lib/authentication/spf-check.ts',
  'src/lib/dns/resolver.ts',
  'src/lib/http/link-check.ts',
  'src/lib/threads/bounded-worker-port.ts',
  'src/lib/threads/bounded-worker.ts',
  'src/lib/runtime/clock.ts',
  'src/settings/load.ts',
  'src/lib/secrets/key-files.ts',
  'src/lib/runtime/log.ts',
  'src/lib/acme/acme-order.ts',
  'src/lib/tls/self-signed.ts',
  'src/app/appliance.ts',
  'src/app/start-up-banner.ts',
  'src/database/engine/postgres-pool.ts',
  'src/database/engine/server-lock.ts',
  'src/database/migrations/steps.ts',
];

/** Record of the last build: its entries, and every input file with size and modification time. */
const RECORD = 'dist/build.json';
const SDK = 'dist/sdk.tgz';
const SDK_RECORD = 'dist/sdk.json';
const COMMAND_LINE = 'clients/cli/dist/mailkeel.js';
const COMMAND_LINE_PACKAGE = 'dist/cli.tgz';
const COMMAND_LINE_RECORD = 'dist/cli.json';
const MODULES = 'dist/modules';
const MODULES_RECORD = 'dist/modules.json';
const DASHBOARD = 'clients/dashboard/dist/index.html';
const DASHBOARD_RECORD = 'dist/dashboard.json';
const LICENSES = 'dist/LICENSES.txt';
const SBOM = 'dist/sbom.cdx.json';

const isForTests = process.argv.includes('--tests');
const wantsDashboard = !isForTests || process.argv.includes('--dashboard');
const entryPoints = isForTests ? [...PROGRAMS, ...FOR_TESTS] : PROGRAMS;
mkdirSync('dist', { recursive: true });
await generateClients();
await Promise.all([
  isUpToDate(RECORD, entryPoints) ? null : bundle(),
  existsSync(SDK) && existsSync('clients/sdk/dist') && isUpToDate(SDK_RECORD) ? null : packSdk(),
  [COMMAND_LINE, COMMAND_LINE_PACKAGE].every((file) => existsSync(file)) && isUpToDate(COMMAND_LINE_RECORD)
    ? null
    : packCommandLine(),
  !isForTests || isUpToDate(MODULES_RECORD, sources()) ? null : buildModules(),
  !wantsDashboard || (existsSync(DASHBOARD) && isUpToDate(DASHBOARD_RECORD)) ? null : buildDashboard(),
]);

writeContents(
  { licenses: LICENSES, sbom: SBOM },
  [RECORD, COMMAND_LINE_RECORD, DASHBOARD_RECORD].flatMap(filesOf),
);

function filesOf(record) {
  return existsSync(record) ? Object.keys(JSON.parse(readFileSync(record, 'utf8')).files) : [];
}

function isUpToDate(record, wanted = []) {
  try {
    const { entries, files } = JSON.parse(readFileSync(record, 'utf8'));
    return (
      wanted.every((entry) => entries.includes(entry)) &&
      Object.entries(files).every(([file, state]) => stateOf(file) === state)
    );
  } catch {
    // There was no build, or one of its files is missing.
    return false;
  }
}

async function packSdk() {
  const sdk = await import('./clients/sdk/build.js');
  const files = Object.fromEntries(sdk.sdkFiles().map((file) => [file, stateOf(file)]));
  await sdk.packSdk(SDK);
  writeFileSync(SDK_RECORD, JSON.stringify({ entries: [], files }));
}

async function packCommandLine() {
  const { packCli } = await import('./clients/cli/build.js');
  const inputs = ['package-lock.json', ...(await packCli(COMMAND_LINE_PACKAGE))];
  const files = Object.fromEntries(inputs.map((file) => [file, stateOf(file)]));
  writeFileSync(COMMAND_LINE_RECORD, JSON.stringify({ entries: [], files }));
}

async function buildDashboard() {
  const dashboard = await import('./clients/dashboard/build.js');
  const inputs = ['package-lock.json', ...(await dashboard.buildDashboard())];
  const files = Object.fromEntries(inputs.map((file) => [file, stateOf(file)]));
  writeFileSync(DASHBOARD_RECORD, JSON.stringify({ entries: [], files }));
}

function sources() {
  return readdirSync('src', { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name}`);
}

/** Compiles each module separately, for test/support/built-modules.ts. */
async function buildModules() {
  const entries = sources();
  rmSync(MODULES, { recursive: true, force: true });
  await build({
    entryPoints: entries,
    outbase: 'src',
    outdir: MODULES,
    format: 'esm',
    target: 'node24',
    logLevel: 'warning',
    plugins: [libraryEntries()],
  });
  const files = Object.fromEntries(
    ['esbuild.config.js', 'docker/library-entries.js', ...entries].map((file) => [file, stateOf(file)]),
  );
  writeFileSync(MODULES_RECORD, JSON.stringify({ entries, files }));
}

function stateOf(file) {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs}`;
}

async function bundle() {
  for (const name of readdirSync('dist')) {
    if (!/^(sdk\.|cli\.|modules|dashboard\.json$)/.test(name))
      rmSync(`dist/${name}`, { recursive: true, force: true });
  }
  const { metafile } = await build({
    entryPoints,
    outbase: 'src',
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    plugins: [libraryEntries()],
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Packages with compiled parts stay in node_modules. So does `cookie`, because @fastify/cookie imports its names at runtime,
    // and a bundled CommonJS module has none, so no one could sign in.
    external: ['@node-rs/argon2', 'cookie'],
    // Packages that are CommonJS ask for Node's own modules with require.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    // Node keeps the text of every module in memory. Names and lines remain for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: 'linked',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  for (const name of Object.keys(metafile.outputs)) if (name.endsWith('.js')) escapeCharacters(name);
  const inputs = [
    'esbuild.config.js',
    'docker/library-entries.js',
    'package-lock.json',
    ...Object.keys(metafile.inputs),
  ];
  const files = Object.fromEntries(inputs.map((file) => [file, stateOf(file)]));
  writeFileSync(RECORD, JSON.stringify({ entries: entryPoints, files }));
}

/**
 * Escapes non-ASCII characters, which esbuild only does in strings. If a module contains one, Node keeps its whole text at two
 * bytes per character: 5 MB more for the server.
 */
function escapeCharacters(name) {
  const text = readFileSync(name, 'utf8');
  if (!/[^\u0000-\u007f]/.test(text)) return;
  if (/String\.raw`[^`]*[^\u0000-\u007f`]|\\[^\u0000-\u007f]/.test(text)) {
    throw new Error(`${name}: a character beyond ASCII cannot be an escape after String.raw or a backslash`);
  }
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(name, text.replace(/[^\u0000-\u007f]/g, escaped));
}
