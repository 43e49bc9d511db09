// The templates that a step may send.
import type { TemplateSummary } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';

/** The newest hundred. */
export function useTemplateChoice(): readonly TemplateSummary[] {
  const templates = useRead(['templates', 'choice', 'all'], (api) =>
    api.templates.list({ view: 'summary', limit: 100 }),
  );
  return templates.data?.data ?? [];
}
