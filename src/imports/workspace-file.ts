// The file of a workspace export: a header line, the objects of each section, one per line, and a trailer with their counts. A file
// without its trailer is incomplete.
import { iso } from '../contract/time.js';
import type { Page, PageRequest, Scope } from '../database/scope.js';
import { productVersion, type Clock } from '../lib/runtime/index.js';
import type { Piece } from './export-sources.js';

/** Changes when a reader of the former format could misread the file. New objects and fields do not change it. */
export const WORKSPACE_FORMAT = 1;
export const WORKSPACE_HEADER = 'workspace_export';
export const WORKSPACE_TRAILER = 'workspace_export_end';

/** An object as `/v1` shows it. */
export interface WorkspaceLine {
  object: string;
}

/** A kind of objects. The noun reads and presents them, and `src/app` lists the sections. */
export interface WorkspaceSection {
  name: string;
  /** Objects of one page. */
  limit: number;
  read(scope: Scope, page: PageRequest): Promise<Page<WorkspaceLine>>;
}

interface Place {
  section: string;
  after: string | null;
  /** Objects written so far, by the field `object`. */
  counts: Readonly<Record<string, number>>;
}

/** Reads a page of a section as lines. `position` is null for the first one. */
export async function readWorkspacePiece(
  { sections, clock }: { sections: readonly WorkspaceSection[]; clock: Clock },
  scope: Scope,
  position: string | null,
): Promise<Piece> {
  const place = position === null ? firstPlace(sections) : (JSON.parse(position) as Place); // as written below
  const at = sections.findIndex(({ name }) => name === place.section);
  const section = sections[at];
  if (!section) throw new Error(`A workspace export has no section ${place.section}.`);
  const page = { limit: section.limit, after: place.after, order: 'asc' } as const;
  const { rows, next } = await section.read(scope, page);
  const counts = { ...place.counts };
  for (const { object } of rows) counts[object] = (counts[object] ?? 0) + 1;
  const following = next === null ? sections[at + 1]?.name : section.name;
  const lines = [
    ...(position === null ? [headerOf(scope, clock())] : []),
    ...rows,
    ...(following === undefined ? [{ object: WORKSPACE_TRAILER, counts }] : []),
  ];
  return {
    rows: rows.length,
    text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    next:
      following === undefined
        ? null
        : JSON.stringify({ section: following, after: next, counts } satisfies Place),
  };
}

function firstPlace(sections: readonly WorkspaceSection[]): Place {
  return { section: sections[0]?.name ?? '', after: null, counts: {} };
}

function headerOf({ mode, subTenantId }: Scope, now: number) {
  return {
    object: WORKSPACE_HEADER,
    format: WORKSPACE_FORMAT,
    product_version: productVersion(),
    environment: mode,
    sub_tenant_id: subTenantId,
    created_at: iso(now),
  };
}

/** Reads the parts of each parent in turn. The cursor has the place before the parent, and the place within it. */
export async function pageOfParts<Parent, Part>(
  { limit, after, order }: PageRequest,
  parents: (page: PageRequest) => Promise<Page<Parent>>,
  parts: (parent: Parent, page: PageRequest) => Promise<Page<Part>>,
): Promise<Page<Part>> {
  const [before, within] =
    after === null ? [null, null] : (JSON.parse(after) as [string | null, string | null]);
  const { rows, next } = await parents({ limit: 1, after: before, order: order ?? 'desc' });
  const [parent] = rows;
  const page =
    parent === undefined
      ? { rows: [], next: null }
      : await parts(parent, { limit, after: within, order: order ?? 'desc' });
  if (page.next !== null) return { rows: page.rows, next: JSON.stringify([before, page.next]) };
  return { rows: page.rows, next: next === null ? null : JSON.stringify([next, null]) };
}
