// The import rules of docs/architecture.md. The ending of a file's name decides what it may import. test/architecture.test.ts
// applies them.

/** Libraries for formats, languages and rules, which use no clock, socket or SQL. */
const PURE_LIBRARIES = `^src/lib/(${[
  ...['addresses', 'config', 'dkim', 'dns-answers', 'dsn', 'html', 'json', 'mail-parser', 'mime', 'patterns'],
  ...[
    'rate-limits',
    'rows',
    'sender-policy',
    'smtp-replies',
    'templating',
    'tls-policy',
    'tokens',
    'wording',
  ],
].join('|')})/`;
/** Declares tables with types and plain values. */
const COLUMNS = '^src/database/columns\\.ts$';
const PURE = ['^src/contract/', '^src/.+\\.(rules|schema|tables)\\.ts$', COLUMNS, PURE_LIBRARIES];
const STORE = ['^src/database/', '^src/.+\\.store\\.ts$', '^src/[^/]+/stores\\.ts$'];
/** Files that may use HTTP. */
const HTTP = ['^src/.+\\.(routes|pages)\\.ts$', '^src/(http|compat|mcp|accounts/access)/'];
const VIEWS = '^src/.+\\.view\\.ts$';
const LIBRARIES = '^src/lib/';
const ENTRIES = '^src/lib/[^/]+/index\\.ts$';
const SETTINGS = '^src/settings/';
/** Files without an ending, which do the work of a noun. */
const WORK = '^src/([^/]+)/[^.]+\\.ts$';
const NOT_WORK =
  '^src/((app|admin|http|compat|mcp|contract|lib|settings|database)/|accounts/access/|[^/]+/(index|stores)\\.ts$)';

/**
 * The folders of src/, lowest layer first. A folder imports from layers below its own, and in its own layer from folders to its
 * left. Type imports count. docs/architecture.md draws this list.
 */
const LAYERS = [
  ['lib', 'contract'],
  ['settings', 'database', 'http', 'events', 'pages'],
  ['tenants', 'accounts', 'backups', 'replica', 'domains'],
  ['suppressions', 'contacts', 'templates'],
  ['messages'],
  ['lists', 'tracking', 'outbound', 'nodes', 'inbound', 'relay'],
  ['analytics', 'campaigns', 'sequences', 'reputation', 'route-shares'],
  ['feed', 'imports', 'webhooks', 'account-imports', 'erasure', 'share-links'],
  ['operations', 'alerts', 'compat', 'mcp'],
  ['app', 'admin'],
];

/** Only the first files may import the second ones from src/. */
const mayImport = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: to },
});

/** Modules that only these folders may load. Naming a type of theirs loads nothing. */
const ownedBy = (name, modules, folders) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: folders },
  to: { path: modules, dependencyTypesNot: ['type-only'] },
});

const packages = (...names) => names.map((name) => `node_modules/${name}/`);
const builtIns = (...names) => `^(node:)?(${names.join('|')})(/promises)?$`;

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unknown-module', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-package-in-the-program',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'program-does-not-import-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },

    {
      name: 'program-and-clients-do-not-import-each-other',
      severity: 'error',
      from: { path: '^(src|clients/[^/]+)/', pathNot: '^clients/dashboard/' },
      // The command line knows the SDK by its name, and nothing of the program.
      to: { path: '^(src|clients)/', pathNot: ['^$1/', '^clients/sdk/(src|dist)/'] },
    },
    {
      name: 'program-does-not-import-clients',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^clients/' },
    },
    {
      name: 'sdk-needs-nothing',
      severity: 'error',
      from: { path: '^clients/sdk/src/' },
      // The optional peer dependency is looked up at runtime.
      to: { pathNot: ['^clients/sdk/src/', 'node_modules/@react-email/render/'] },
    },

    {
      name: 'dashboard-knows-the-sdk-alone',
      severity: 'error',
      from: { path: '^clients/dashboard/src/' },
      // From the command line, only the list of its commands, because it shows calls as typed there.
      to: {
        path: '^(src|test|clients|config|docs)/',
        pathNot: ['^clients/dashboard/src/', '^clients/sdk/src/', '^clients/cli/src/operations\\.ts$'],
      },
    },
    {
      name: 'dashboard-runs-in-a-browser',
      severity: 'error',
      from: { path: '^clients/dashboard/src/' },
      to: { dependencyTypes: ['core'] },
    },

    mayImport('pure-imports-pure', PURE, PURE),
    mayImport('libraries-know-nothing-of-the-product', LIBRARIES, LIBRARIES),
    {
      name: 'libraries-are-imported-by-their-entries',
      severity: 'error',
      from: { path: '^src/', pathNot: LIBRARIES },
      to: { path: LIBRARIES, pathNot: ENTRIES },
    },
    {
      name: 'libraries-import-each-other-by-their-entries',
      severity: 'error',
      from: { path: '^src/lib/([^/]+)/' },
      to: { path: LIBRARIES, pathNot: ['^src/lib/$1/', ENTRIES] },
    },
    mayImport('store-imports-pure-and-libraries', STORE, [...PURE, ...STORE, LIBRARIES]),
    mayImport('settings-import-pure-and-libraries', SETTINGS, [...PURE, SETTINGS, LIBRARIES]),
    {
      name: 'views-import-no-http',
      severity: 'error',
      from: { path: VIEWS },
      to: { path: [...HTTP, '^src/(app|admin)/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'work-imports-no-http',
      severity: 'error',
      from: { path: WORK, pathNot: NOT_WORK },
      // The type of the caller of a request is not HTTP code.
      to: { path: [...HTTP, VIEWS, '^src/(app|admin)/'], pathNot: '^src/http/access/caller\\.ts$' },
    },
    {
      name: 'routes-write-no-rows',
      severity: 'error',
      from: { path: '^src/.+\\.(routes|pages)\\.ts$' },
      to: {
        path: ['^src/database/(rows|change)\\.ts$', '^src/.+-changes\\.store\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    ...LAYERS.flat().map((folder, place, folders) => ({
      name: `${folder}-imports-downwards`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: {
        path: `^src/(${[...folders.slice(place + 1).map((above) => `${above}/`), 'main\\.ts$'].join('|')})`,
      },
    })),
    {
      name: 'admin-imports-no-http',
      severity: 'error',
      from: { path: '^src/admin/' },
      to: { path: [...HTTP, VIEWS] },
    },
    ownedBy('fastify-only-in-http', packages('fastify', '@fastify'), [...HTTP, '^src/(app|lib/http)/']),
    ownedBy('sql-only-in-stores', packages('better-sqlite3', 'kysely', 'pg'), STORE),
    ownedBy('command-line-parser-only-in-admin', packages('commander'), '^src/admin/'),
    ownedBy(
      'sockets-only-in-libraries-and-http',
      [
        builtIns('net', 'tls', 'dgram', 'dns', 'http', 'https', 'http2'),
        ...packages('undici', 'nodemailer/lib/smtp-connection', 'smtp-server'),
      ],
      [...HTTP, '^src/(app|lib)/'],
    ),
    ownedBy(
      'authentication-and-certificates-only-in-libraries',
      packages('mailauth', 'acme-client', 'node-forge'),
      LIBRARIES,
    ),
    ownedBy('mailparser-only-in-mail-parser', packages('mailparser'), '^src/lib/mail-parser/'),
    {
      name: 'pure-touches-nothing-outside',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'], pathNot: builtIns('crypto', 'buffer', 'url', 'util', 'punycode') },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.d.ts', '.json', '.css'],
      cachedInputFileSystem: { cacheDuration: 60_000 },
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
