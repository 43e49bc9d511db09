// One step of an account import: reads a page unless it is at hand, writes some of its objects, and commits them with the progress.
import { Refusal } from '../contract/refusal.js';
import type { Consent } from '../contacts/contact-changes.store.js';
import type { Change } from '../database/change.js';
import { insert, update, type RowChange } from '../database/rows.js';
import { addressKey } from '../lib/mime/index.js';
import type { OpenAccountImport } from './account-imports.store.js';
import { type AccountImport, accountImportReports, accountImports } from './account-imports.tables.js';
import type { AccountImportContext } from './context.js';
import type { ItemOfKind, LeftOut, VendorPage } from './items.rules.js';
import { addCounts, type Counts, type ImportKind, VENDOR_NAMES } from './kinds.rules.js';
import { MAX_ATTEMPTS, nextPlace, placeOf, retryDelay, type Place } from './progress.rules.js';
import { writeItems } from './owners.js';
import type { PageReader } from './sources/source.js';
import { VendorProblem } from './sources/vendor-reader.js';
import { cut } from './values.rules.js';
import { KIND_WRITERS, NOTHING_WRITTEN, type WriteTerms, type Written } from './write.js';
import { refused } from './write-objects.js';

/** Steps of one import, which bounds the work for a server that never ends its lists. */
const MAX_STEPS = 1_000_000;
const MAX_REPORT_LINES = 10_000;
const MAX_SHOWN = 320;
const MAX_PROBLEM = 500;

/** The page that an import is at, so that it is not read again for each of its batches. */
export interface PageInHand {
  kind: ImportKind;
  cursor: string | null;
  page: VendorPage<ImportKind>;
}

/** Works on the next piece. Returns the page for the next step; null if there is none. */
export async function takeStep(
  context: AccountImportContext,
  row: OpenAccountImport,
  { read, inHand }: { read: PageReader; inHand: PageInHand | null },
): Promise<PageInHand | null> {
  const kinds = JSON.parse(row.kinds) as ImportKind[];
  const place = placeOf(row.position, kinds);
  if (place === null) return null;
  if (row.steps >= MAX_STEPS) {
    await endImport(context, row, `${VENDOR_NAMES[row.source]} has more objects than one import may have.`);
    return null;
  }
  try {
    const { kind } = place;
    return await takeKind(kind, context, row, { place, kinds, read, inHand });
  } catch (error) {
    if (!(error instanceof VendorProblem)) throw error;
    await takeProblem(context, row, { place, kinds, problem: error });
    return null;
  }
}

async function takeKind<K extends ImportKind>(
  kind: K,
  context: AccountImportContext,
  row: OpenAccountImport,
  given: {
    place: Place & { kind: K };
    kinds: readonly ImportKind[];
    read: PageReader;
    inHand: PageInHand | null;
  },
): Promise<PageInHand | null> {
  const { place, kinds, inHand } = given;
  const isInHand = inHand?.kind === kind && inHand.cursor === place.cursor;
  const page = (isInHand ? inHand.page : await readPage(kind, row, given)) as VendorPage<K>; // as its kind says
  const { batch } = KIND_WRITERS[kind];
  const items = page.items.slice(place.done, place.done + batch);
  const terms = termsOf(context, row);
  const written = await writeItems(kind, terms, items);
  const done = place.done + items.length;
  const next = nextPlace(place, { done, total: page.items.length, next: page.next, kinds });
  const found = place.done === 0 ? page.leftOut : [];
  const waitMs = done < page.items.length ? 0 : (page.waitMs ?? 0);
  const step = { kind, next, found, waitMs, now: terms.now };
  try {
    await commitStep(context, row, { ...step, written });
  } catch (error) {
    const [item, ...others] = items;
    if (!isOfItem(error) || item === undefined || others.length > 0) throw error;
    await commitStep(context, row, { ...step, written: withoutItem(item, error) });
  }
  return done < page.items.length ? { kind, cursor: place.cursor, page } : null;
}

async function readPage<K extends ImportKind>(
  kind: K,
  { source }: OpenAccountImport,
  { place, read }: { place: Place; read: PageReader },
): Promise<VendorPage<K>> {
  const page = await read(kind, place.cursor);
  if (page.next === place.cursor && page.next !== null && page.waitMs === undefined) {
    throw new VendorProblem('form', `${VENDOR_NAMES[source]} returned the same page twice.`);
  }
  return page;
}

/** Whether the noun refused the object, rather than another writer or a missing database. */
function isOfItem(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code !== 'conflict' && error.code !== 'unavailable';
}

function withoutItem(item: ItemOfKind[ImportKind], error: Refusal): Written {
  return { ...NOTHING_WRITTEN, leftOut: [refused(item, error)] };
}

function termsOf(context: AccountImportContext, row: OpenAccountImport): WriteTerms {
  const { store, clock } = context;
  const scope = {
    organizationId: row.organizationId,
    workspaceId: row.workspace_id,
    workspaceNumber: row.workspaceNumber,
    environmentId: row.environment_id,
    mode: row.mode,
    subTenantId: row.sub_tenant_id,
  };
  const { environmentId, subTenantId } = scope;
  const place = { environmentId, subTenantId, source: row.source, origin: row.origin };
  return {
    context,
    store,
    scope,
    place,
    consent: JSON.parse(row.consent) as Consent, // as `start` wrote it
    isDryRun: row.dry_run === 1,
    now: clock(),
    objectsOf: (kind, ids) => store.accountImports.objectsOf({ ...place, kind }, ids),
  };
}

interface Step {
  kind: ImportKind;
  /** Null at the end. */
  next: Place | null;
  /** Objects that the source left out. */
  found: readonly LeftOut[];
  written: Written;
  waitMs: number;
  now: number;
}

/** Refused with `conflict` if another worker has committed a step, or the import was canceled. */
async function commitStep(
  context: AccountImportContext,
  row: OpenAccountImport,
  { kind, next, found, written, waitMs, now }: Step,
): Promise<void> {
  const missing = [...found, ...written.leftOut];
  const { created, updated, unchanged } = written;
  const counts = addCounts(JSON.parse(row.counts) as Counts, kind, {
    found: created + updated + unchanged + missing.length,
    created,
    updated,
    unchanged,
    left_out: missing.length,
  });
  const lines = reportLines(row, kind, [...missing, ...written.notes]);
  const set = {
    status: next === null ? ('completed' as const) : ('running' as const),
    counts: JSON.stringify(counts),
    position: next === null ? null : JSON.stringify(next),
    report_lines: row.report_lines + lines.length,
    resume_at: waitMs === 0 ? null : now + waitMs,
    paused_reason: null,
    attempts: 0,
    ...(next === null ? ended(now) : {}),
  };
  await context.store.commit([moved(row, set, now), ...written.changes, ...lines]);
  for (const announce of written.announce) announce();
  if (next === null) await removeFile(context, row);
}

/** Removes the uploaded file of an import that has ended. */
export async function removeFile(
  { files }: Pick<AccountImportContext, 'files'>,
  { id, stored_bytes: bytes }: AccountImport,
): Promise<void> {
  if (bytes > 0) await files.remove(id, ['body']);
}

/** The progress. Its guard excludes that two workers commit the same step. */
function moved(row: OpenAccountImport, set: RowChange<typeof accountImports>, now: number): Change {
  return update(accountImports, {
    set: { ...set, steps: row.steps + 1, updated_at: now },
    where: { id: row.id, status: ['queued', 'running'], steps: row.steps },
    otherwise: { code: 'conflict' },
  });
}

/** Columns of an import that has ended. The credentials and the file are forgotten. */
export function ended(now: number) {
  return {
    ...{ connection_sealed: null, stored_bytes: 0, resume_at: null, paused_reason: null },
    finished_at: now,
  } as const;
}

export async function endImport(
  context: AccountImportContext,
  row: OpenAccountImport,
  error: string,
): Promise<void> {
  const now = context.clock();
  await context.store.commit([moved(row, { status: 'failed', error, ...ended(now) }, now)]);
  await removeFile(context, row);
}

function reportLines(row: OpenAccountImport, kind: ImportKind, missing: readonly LeftOut[]): Change[] {
  const isPerson = kind === 'contacts' || kind === 'suppressions';
  return missing
    .flatMap(({ externalId, name, problems }) =>
      problems.map((problem) => ({ externalId, name, ...problem })),
    )
    .slice(0, Math.max(0, MAX_REPORT_LINES - row.report_lines))
    .map(({ externalId, name, line, problem }, i) =>
      insert(accountImportReports, {
        row: {
          import_id: row.id,
          number: row.report_lines + i + 1,
          environment_id: row.environment_id,
          kind,
          external_id: cut(externalId, MAX_SHOWN),
          name: cut(name, MAX_SHOWN),
          email_key: isPerson ? cut(addressKey(name), MAX_SHOWN) : null,
          line,
          problem: cut(problem, MAX_PROBLEM),
        },
      }),
    );
}

/** Waits, leaves out the kind, or ends the import. */
async function takeProblem(
  context: AccountImportContext,
  row: OpenAccountImport,
  { place, kinds, problem }: { place: Place; kinds: readonly ImportKind[]; problem: VendorProblem },
): Promise<void> {
  const { store, clock } = context;
  const now = clock();
  switch (problem.kind) {
    case 'credentials':
    case 'form':
      return endImport(context, row, problem.message);
    case 'permission': {
      const next = nextPlace(place, { done: 0, total: 0, next: null, kinds });
      const item = { externalId: '', name: place.kind, problems: [{ line: null, problem: problem.message }] };
      const step = { kind: place.kind, next, found: [item], written: NOTHING_WRITTEN, waitMs: 0, now };
      return commitStep(context, row, step);
    }
    case 'busy':
    case 'unreachable': {
      // A pause that the vendor asks for is not a failure.
      const attempts = problem.kind === 'busy' ? row.attempts : row.attempts + 1;
      if (attempts >= MAX_ATTEMPTS) return endImport(context, row, problem.message);
      const waitMs = problem.kind === 'busy' ? problem.waitMs : retryDelay(attempts);
      const set = {
        status: 'running' as const,
        attempts,
        resume_at: now + waitMs,
        paused_reason: problem.message,
      };
      await store.commit([moved(row, set, now)]);
    }
  }
}
