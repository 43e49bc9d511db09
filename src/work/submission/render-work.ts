// What the renderer asks its worker threads to do, and how it is done there.

import { createHtmlToText } from '../../mail/html-to-text.js';
import type { TemplateProblem } from '../../mail/template-scan.js';
import { createTemplates, templateProblem, templateVariables, type Variables } from '../../mail/template.js';

export const PARTS = ['subject', 'html', 'text'] as const;
export type Part = (typeof PARTS)[number];
export type Sources = Readonly<Record<Part, string | null>>;
type PartProblem = { kind: 'problem'; part: Part } & TemplateProblem;

export type RenderJob = {
  kind: 'render';
  /** Only the parts that have placeholders; null for the others. */
  sources: Sources;
  variables: Variables;
  /** HTML without placeholders from which to derive the text. */
  plainHtml: string | null;
  isTextDerived: boolean;
};
export type CheckJob = { kind: 'check'; sources: Sources };
export type RenderAnswer = { kind: 'rendered'; parts: Record<Part, string | null> } | PartProblem;
export type CheckAnswer = { kind: 'valid'; variables: string[] } | PartProblem;

/** Makes the function that answers jobs; it keeps compiled templates between them. */
export function createRenderWork(): (job: RenderJob | CheckJob) => RenderAnswer | CheckAnswer {
  const templates = createTemplates();
  const textOfHtml = createHtmlToText();

  const render = ({ sources, variables, plainHtml, isTextDerived }: RenderJob): RenderAnswer => {
    const parts: Record<Part, string | null> = { subject: null, html: null, text: null };
    for (const part of PARTS) {
      const source = sources[part];
      if (source === null) continue;
      const rendered = templates.render(source, part, variables);
      if (rendered.kind === 'problem') return { kind: 'problem', part, ...rendered.problem };
      parts[part] = rendered.output;
    }
    if (isTextDerived) parts.text = textOfHtml(plainHtml ?? parts.html ?? '');
    return { kind: 'rendered', parts };
  };

  const check = ({ sources }: CheckJob): CheckAnswer => {
    const names = new Set<string>();
    for (const part of PARTS) {
      const source = sources[part];
      if (source === null) continue;
      const problem = templateProblem(source, part);
      if (problem !== null) return { kind: 'problem', part, ...problem };
      for (const name of templateVariables(source)) names.add(name);
    }
    // Compiling costs more than parsing: what is too slow to send is refused here.
    const trial = render({ kind: 'render', sources, variables: {}, plainHtml: null, isTextDerived: false });
    return trial.kind === 'problem' ? trial : { kind: 'valid', variables: [...names] };
  };

  return (job) => (job.kind === 'render' ? render(job) : check(job));
}
