// Compares the pages in docs/ with the code: each side has what the other one names.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALL_WEBHOOK_EVENTS, MESSAGE_TRAIL_EVENTS, TENANT_TRAIL_EVENTS } from '../src/contract/names.js';
import { REFUSALS } from '../src/contract/refusal.js';
import { STATUS_OF_TYPE } from '../src/http/errors.js';
import { feedEventName } from '../src/events/event-names.rules.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Markdown pages that speak of the program as it is now. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...filesBelow('docs').filter((file) => file.endsWith('.md') && !file.startsWith('docs/adr/')),
];
const COMPOSE_FILES = ['docker/compose.yaml', 'docker/compose.cluster.yaml'];

function read(file: string): string {
  return readFileSync(`${ROOT}${file}`, 'utf8');
}

function filesBelow(folder: string): string[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  );
}

function sources(): string[] {
  return filesBelow('src').filter((file) => file.endsWith('.ts'));
}

/** The cells of a page's table rows, without heads and rules. */
function rowsOf(page: string): string[][] {
  return read(page)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^[| -]+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** Numbers of the RFCs that a text names, ranges such as "RFC 2045-2047" written out. */
function rfcsIn(text: string): number[] {
  return [...text.matchAll(/\bRFC\s(\d{3,5})(?:-(\d{3,5}))?/g)].flatMap(([, first, last]) => {
    const from = Number(first);
    const to = last === undefined ? from : Number(last);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+)`/g)].map((match) => match[1] ?? '');
}

describe('docs/errors.md', () => {
  it('has a row for each code of the catalogue, with its type, status and meaning, and no other', () => {
    const rows = rowsOf('docs/errors.md').filter(([code]) => code?.startsWith('`'));
    const expected = Object.entries(REFUSALS).map(([code, { type, meaning }]) => [
      `\`${code}\``,
      `\`${type}\``,
      String(STATUS_OF_TYPE[type]),
      meaning,
    ]);
    expect(rows).toEqual(expected);
  });
});

describe('docs/events.md', () => {
  it('names every event of the webhooks and of the feed, and no other', () => {
    const named = quoted(read('docs/events.md')).filter((word) =>
      /^(message|recipient|tenant|suppression|contact|domain|campaign|import|export|bulk_action|account_import|thread|draft|approval)\.[a-z_]+$/.test(
        word,
      ),
    );
    const feed = [...MESSAGE_TRAIL_EVENTS, ...TENANT_TRAIL_EVENTS].map((event) =>
      feedEventName({ event, detail: null }),
    );
    const known = new Set<string>([...ALL_WEBHOOK_EVENTS, ...feed]);
    expect([...known].filter((event) => !named.includes(event))).toEqual([]);
    expect(named.filter((event) => !known.has(event))).toEqual([]);
  });
});

describe('docs/standards.md', () => {
  const rows = rowsOf('docs/standards.md').filter(([standard]) => standard?.startsWith('RFC '));
  const listed = rows.flatMap(([standard = '']) => rfcsIn(standard));

  it('lists every RFC that a source file names', () => {
    const missing = sources().flatMap((file) =>
      rfcsIn(read(file))
        .filter((rfc) => !listed.includes(rfc))
        .map((rfc) => `${file}: RFC ${rfc}`),
    );
    expect(missing).toEqual([]);
  });

  it('lists each once, with files that exist and of which one names it', () => {
    expect(new Set(listed).size).toBe(listed.length);
    const wrong = rows.flatMap(([standard = '', , , where = '']) => {
      const files = quoted(where);
      if (files.length === 0) return [`${standard}: no file`];
      const gone = files.filter((file) => !existsSync(`${ROOT}${file}`));
      if (gone.length > 0) return gone.map((file) => `${standard}: ${file} does not exist`);
      const isNamed = files.some((file) => rfcsIn(read(file)).includes(rfcsIn(standard)[0] ?? 0));
      return isNamed ? [] : [`${standard}: none of its files names it`];
    });
    expect(wrong).toEqual([]);
  });
});

it('no document runs the command line with npx, which would run any package of that name in a registry', () => {
  const texts = [
    ...PAGES,
    ...sources(),
    ...['examples', 'clients/cli', 'clients/sdk', 'clients/dashboard/src', 'docker'].flatMap(filesBelow),
  ].filter(
    (file) => /\.(?:md|ts|tsx|js|sh|yaml|service)$/.test(file) && !/\/(?:dist|node_modules)\//.test(file),
  );
  expect(texts.filter((file) => /\bnpx (?:--?\S+ )*@?mailkeel/.test(read(file)))).toEqual([]);
});

describe('the pages', () => {
  it('link to and name only files that exist', () => {
    const broken = PAGES.flatMap((page) => {
      const folder = page.includes('/') ? `${page.slice(0, page.lastIndexOf('/'))}/` : '';
      const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(
        (match) => `${folder}${match[1] ?? ''}`,
      );
      const named = quoted(read(page)).filter((word) =>
        /^(src|test|docs|config|docker)\/[\w./-]+\.\w+$/.test(word),
      );
      return [...links, ...named]
        .filter((file) => !existsSync(`${ROOT}${file}`))
        .map((file) => `${page}: ${file}`);
    });
    expect(broken).toEqual([]);
  });

  it('name only settings that exist', () => {
    const known = read('docs/config.md');
    const ofCommandLine = ['main', 'commands/account-import']
      .map((name) => read(`clients/cli/src/${name}.ts`))
      .join('');
    const unknown = [...PAGES, ...COMPOSE_FILES, 'Dockerfile'].flatMap((page) =>
      [...read(page).matchAll(/\bMAILKEEL_[A-Z_]+\b/g)]
        .map(([name]) => name.replace(/_FILE$/, ''))
        .filter((name) => !['MAILKEEL_CONFIG', 'MAILKEEL_KEY', 'MAILKEEL_TUNING'].includes(name))
        .filter((name) => !ofCommandLine.includes(`'${name}'`))
        .filter((name) => !known.includes(`\`${name}\``) && !known.includes(`\`${name}_FILE\``))
        .map((name) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('give each decision record a status below its title', () => {
    const records = filesBelow('docs/adr').filter((file) => file.endsWith('.md'));
    const without = records.filter(
      (file) => !/^# \d+\. .+\n\nStatus: (accepted|replaced)\b/.test(read(file)),
    );
    expect(without).toEqual([]);
  });

  it('number the decision records without a gap', () => {
    const numbers = filesBelow('docs/adr').map((file) => Number(/\/(\d{4})-/.exec(file)?.[1]));
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, i) => i + 1));
  });
});
