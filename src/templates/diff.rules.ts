// Unified diffs of two versions of a template, for each part.

import { formatPatch, OMIT_HEADERS, structuredPatch, type StructuredPatch } from 'diff';

export interface TemplateContent {
  subject: string | null;
  html: string | null;
  text: string | null;
  inlineCss: boolean;
}
const COMPARED = ['subject', 'html', 'text', 'inline_css'] as const;

interface PartDiff {
  /** Unified diff with three lines of context; empty without changes. */
  diff: string;
  /** Number of added lines. */
  added: number;
  removed: number;
}
export type ContentDiff = Record<(typeof COMPARED)[number], PartDiff>;

/** Limit of changed lines. Beyond it all lines count as replaced, because the shortest diff takes quadratic time. */
const MAX_EDITS = 1_000;

/** Compares two versions line by line. Takes up to 100 ms, so it runs in a worker. */
export function compareContents(from: TemplateContent, to: TemplateContent): ContentDiff {
  return {
    subject: compareText(from.subject, to.subject),
    html: compareText(from.html, to.html),
    text: compareText(from.text, to.text),
    inline_css: compareText(String(from.inlineCss), String(to.inlineCss)),
  };
}

function compareText(from: string | null, to: string | null): PartDiff {
  if ((from ?? '') === (to ?? '')) return { diff: '', added: 0, removed: 0 };
  const [before, after] = [from ?? '', to ?? ''];
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch =
    structuredPatch('', '', before, after, undefined, undefined, options) ?? replaced(before, after);
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    diff: formatPatch(patch, OMIT_HEADERS),
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** Creates a patch that replaces all lines. */
function replaced(before: string, after: string): StructuredPatch {
  const removed = diffLines(before, '-');
  const added = diffLines(after, '+');
  return {
    oldFileName: '',
    newFileName: '',
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [
      {
        oldStart: 1,
        oldLines: removed.count,
        newStart: 1,
        newLines: added.count,
        lines: [...removed.lines, ...added.lines],
      },
    ],
  };
}

function diffLines(text: string, sign: '+' | '-'): { lines: string[]; count: number } {
  if (text === '') return { lines: [], count: 0 };
  const isEnded = text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n').map((line) => sign + line);
  const count = lines.length;
  if (!isEnded) lines.push('\\ No newline at end of file');
  return { lines, count };
}
