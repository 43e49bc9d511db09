// Amazon SES does not escape the values that it fills into the HTML of a template, so its `{{name}}` is `{{{name}}}` in Mailkeel.

const PLACEHOLDER = /^\{\{(~?)(?![~{!#/^>&*]|\s*else\b)([^{}]+?)(~?)\}\}$/;
const UNESCAPED = /^\{\{(~?)\{([^{}]+)\}(~?)\}\}$/;

/** Returns the HTML of a SES template in Mailkeel's syntax. */
export function fromSesHtml(html: string): string {
  return replaceTags(html, (tag) => tag.replace(PLACEHOLDER, '{{$1{$2}$3}}'));
}

/** Returns the HTML of a template in the syntax of SES. */
export function toSesHtml(html: string): string {
  return replaceTags(html, (tag) => tag.replace(UNESCAPED, '{{$1$2$3}}'));
}

/** Replaces each tag in one pass. Escaped tags, and a tag without an end, are kept. */
function replaceTags(html: string, replace: (tag: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = html.indexOf('{{'); start >= 0; start = html.indexOf('{{', at)) {
    const end = endOfTag(html, start);
    if (end === null) break;
    const isEscaped = html[start - 1] === '\\';
    parts.push(html.slice(at, start), isEscaped ? html.slice(start, end) : replace(html.slice(start, end)));
    at = end;
  }
  return parts.join('') + html.slice(at);
}

function endOfTag(html: string, start: number): number | null {
  const isLongComment = /^\{\{~?!--/.test(html.slice(start, start + 6));
  for (let end = html.indexOf('}}', start); end >= 0; end = html.indexOf('}}', end + 1)) {
    if (isLongComment && !/--~?$/.test(html.slice(end - 3, end))) continue;
    return html[end + 2] === '}' ? end + 3 : end + 2;
  }
  return null;
}
