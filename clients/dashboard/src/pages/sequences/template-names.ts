// Names of the templates that steps send.
import { useRead } from '../../data/read.js';

/** Returns the name of a template by its slug or ID; itself if there is no such template. */
export function useTemplateNames(): (template: string) => string {
  const { data } = useRead(['templates', 'names'], async (api, signal) => {
    const names = new Map<string, string>();
    for await (const { id, slug, name } of api.templates.list({ view: 'summary', limit: 100 }, { signal }))
      names.set(id, name).set(slug, name);
    return names;
  });
  return (template) => data?.get(template) ?? template;
}
