// The floors of docs/architecture.md as rules: imports only go down; clients stand apart. Run by test/architecture.test.ts.
const PURE = '^src/(contract|mail|rules)/';
const ROOM = '^src/work/([^/]+)/';
const WIRING = '^src/[^/]+\\.ts$';

/** From these folders only to those; the rest of src/ is forbidden. */
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
      // The optional peer is asked for at run time.
      to: { pathNot: ['^clients/sdk/src/', 'node_modules/@react-email/render/'] },
    },

    {
      name: 'dashboard-knows-the-sdk-alone',
      severity: 'error',
      from: { path: '^clients/dashboard/src/' },
      // Of the command line, the list of its commands: it writes out a call as one types it there.
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

    mayImport('pure-floors-import-each-other-only', PURE, PURE),
    mayImport('runtime-imports-nothing-of-ours', '^src/runtime/', '^src/runtime/'),
    mayImport('store-imports-pure-and-runtime', '^src/store/', [PURE, '^src/(store|runtime)/']),
    mayImport('net-imports-pure-and-runtime', '^src/net/', [PURE, '^src/(net|runtime)/']),
    mayImport('rooms-import-down', '^src/work/', [PURE, '^src/(work|store|net|runtime)/']),
    {
      name: 'rooms-do-not-import-each-other',
      severity: 'error',
      from: { path: ROOM },
      to: { path: '^src/work/', pathNot: ['^src/work/$1/', '^src/work/submission/'] },
    },
    mayImport('doors-import-down', '^src/http/', [PURE, '^src/(http|work|store|runtime)/']),
    mayImport('cli-is-an-outsider', '^src/cli/', ['^src/(cli|admin|contract|mail|runtime)/']),
    mayImport('admin-does-not-open-doors', '^src/admin/', [PURE, '^src/(admin|work|store|net|runtime)/']),
    mayImport('wiring-does-not-know-the-cli', WIRING, [
      PURE,
      WIRING,
      '^src/(admin|http|work|store|net|runtime)/',
    ]),

    ownedBy('fastify-only-in-http', packages('fastify', '@fastify'), '^src/http/'),
    ownedBy('sql-only-in-store', packages('better-sqlite3', 'kysely', 'pg'), '^src/store/'),
    ownedBy('command-line-parser-only-in-cli', packages('commander'), '^src/cli/'),
    ownedBy(
      'sockets-only-in-net-and-http',
      [
        builtIns('net', 'tls', 'dgram', 'dns', 'http', 'https', 'http2'),
        ...packages('undici', 'nodemailer/lib/smtp-connection', 'smtp-server'),
      ],
      ['^src/(net|http)/', WIRING],
    ),
    ownedBy(
      'authentication-and-certificates-only-in-net',
      packages('mailauth', 'acme-client', 'node-forge'),
      '^src/net/',
    ),
    ownedBy('parser-of-received-mail-only-in-mail', packages('mailparser'), '^src/mail/'),
    {
      name: 'pure-floors-touch-nothing-outside',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'], pathNot: builtIns('crypto', 'buffer', 'url', 'util', 'punycode') },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
