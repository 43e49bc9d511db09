// The tasks of the renderer's worker threads.

import { createHash } from 'node:crypto';

import { createHtmlBodies } from './html-bodies.rules.js';
import { PARTS, type Part, type Sources } from './parts.rules.js';
import {
  createTemplates,
  type Filling,
  substitute,
  type Substituted,
  type Substitution,
  type SubstitutionBounds,
  templateProblem,
  type TemplateProblem,
  templateVariables,
  type Variables,
} from '../../lib/templating/index.js';
import { compareContents, type ContentDiff, type TemplateContent } from '../diff.rules.js';

type PartProblem = { kind: 'problem'; part: Part } & Omit<TemplateProblem, 'line'> & { line?: number };

export type RenderJob = {
  kind: 'render';
  /** Sources with placeholders; `null` for other parts. */
  sources: Sources;
  variables: Variables;
  /** HTML without placeholders whose CSS is inlined or from which text is derived. */
  plainHtml: string | null;
  isTextDerived: boolean;
  inlineCss: boolean;
};
type CheckJob = { kind: 'check'; sources: Sources; inlineCss: boolean };
type CompareJob = { kind: 'compare'; from: TemplateContent; to: TemplateContent };
/** Replaces literal keys in the texts of many copies with the values of each. */
type SubstituteJob = { kind: 'substitute'; substitution: Substitution; bounds: SubstitutionBounds };
export type Job = RenderJob | CheckJob | CompareJob | SubstituteJob;

/** `missing`: names of rendered placeholders without a value; absent if there are none. */
type RenderAnswer =
  | { kind: 'rendered'; parts: Record<Part, string | null>; missing?: string[] }
  | PartProblem;
type CheckAnswer = { kind: 'valid'; variables: string[] } | PartProblem;
type CompareAnswer = { kind: 'compared'; diff: ContentDiff };
export type JobAnswer = RenderAnswer | CheckAnswer | CompareAnswer | Substituted;

/** Characters of HTML and derived text that a thread caches. */
const CACHE_CHARS = 8 * 1024 * 1024;

/** Creates the function that runs jobs. It caches compiled templates and converted HTML. */
export function createRenderWork(): (job: Job) => JobAnswer {
  const templates = createTemplates();
  const bodiesOf = createHtmlBodies({ cacheChars: CACHE_CHARS });

  const render = (job: RenderJob): RenderAnswer => {
    const parts: Record<Part, string | null> = { subject: null, html: null, text: null };
    const missing = new Set<string>();
    let filling: Filling | null = null;
    for (const part of PARTS) {
      const source = job.sources[part];
      if (source === null) continue;
      const rendered = templates.render(source, part, job.variables);
      if (rendered.kind === 'problem') return { kind: 'problem', part, ...rendered.problem };
      parts[part] = rendered.output;
      filling ??= rendered.filling;
      for (const name of rendered.missing) missing.add(name);
    }
    const html = parts.html ?? job.plainHtml;
    if (html !== null && (job.inlineCss || job.isTextDerived)) {
      const key = job.plainHtml === null ? null : createHash('sha256').update(html).digest('base64');
      const bodies = bodiesOf(html, job, { filling, key });
      if (bodies.kind === 'problem') return { ...bodies, part: 'html' };
      parts.html = bodies.html;
      parts.text = job.isTextDerived ? bodies.text : parts.text;
    }
    return { kind: 'rendered', parts, ...(missing.size > 0 && { missing: [...missing] }) };
  };

  const check = ({ sources, inlineCss }: CheckJob): CheckAnswer => {
    const names = new Set<string>();
    for (const part of PARTS) {
      const source = sources[part];
      if (source === null) continue;
      const problem = templateProblem(source, part);
      if (problem !== null) return { kind: 'problem', part, ...problem };
      for (const name of templateVariables(source)) names.add(name);
    }
    // Compiling takes longer than parsing, so a template that is too slow to send is refused before it is saved.
    const trial = render({
      kind: 'render',
      sources,
      variables: {},
      plainHtml: null,
      isTextDerived: false,
      inlineCss,
    });
    return trial.kind === 'problem' ? trial : { kind: 'valid', variables: [...names] };
  };

  return (job) => {
    if (job.kind === 'render') return render(job);
    if (job.kind === 'check') return check(job);
    if (job.kind === 'substitute') return substitute(job.substitution, job.bounds);
    return { kind: 'compared', diff: compareContents(job.from, job.to) };
  };
}
