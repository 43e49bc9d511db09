// Renders HTML pages. Strings are always escaped; only markup from the `html` tag is not.

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is safe to insert into a page. */
export interface Html {
  readonly markup: string;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** Template tag that escapes strings, but not `Html` and lists of it. */
export function html(
  parts: TemplateStringsArray,
  ...values: (string | number | Html | readonly Html[])[]
): Html {
  let markup = parts[0] ?? '';
  values.forEach((value, i) => {
    markup += toMarkup(value) + (parts[i + 1] ?? '');
  });
  return { markup };
}

function toMarkup(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if ('markup' in value) return value.markup;
  return value.map((item) => item.markup).join('');
}

export const STYLESHEET_PATH = '/pages.css';

interface PageOptions {
  language?: string;
  /** Stylesheet with the owner's colors, loaded after the common style. */
  colorsPath?: string | null;
  /** Icon of the page's owner; Mailkeel's by default. */
  iconPath?: string | null;
}

/** Renders a complete page in the common style, without scripts. */
export function page(
  title: string,
  body: Html,
  { language = 'en', colorsPath = null, iconPath = null }: PageOptions = {},
): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${iconPath ?? '/favicon.svg'}" />
        <link rel="stylesheet" href="${STYLESHEET_PATH}" />
        ${colorsPath === null ? [] : html`<link rel="stylesheet" href="${colorsPath}" />`}
      </head>
      <body>
        ${body}
      </body>
    </html> `.markup;
}

/** Background of pages, light and dark. */
export const GROUNDS = { light: '#ffffff', dark: '#0f1216' } as const;

export const STYLESHEET = `
@font-face { font-family: 'IBM Plex Sans'; font-weight: 100 700; font-display: swap; src: url('/docs/site/plex-sans.woff2') format('woff2'); }
:root { color-scheme: light dark; --ground: ${GROUNDS.light}; --raised: #f6f7f9; --text: #1b1f24; --dim: #57606a; --line: #d8dee4; --soft: #f3f4f7;
  --edge: #757575; --accent: #3538cd; --fill: var(--accent); --on-fill: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: ${GROUNDS.dark}; --raised: #171b21; --text: #e8ebef; --dim: #a4adb8; --line: #2c333c; --soft: #1b2028;
    --edge: #8f8f8f; --accent: #a3a8ff; --on-fill: #111; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.55 'IBM Plex Sans', system-ui, sans-serif; background: var(--ground); color: var(--text); }
.mark { width: 1.5rem; height: 1.5rem; flex: none; color: var(--accent); }
body > header { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1.25rem 0; overflow-wrap: anywhere; }
body > header img { display: block; max-width: 14rem; max-height: 3.5rem; }
body > footer { max-width: 34rem; margin: 0 auto; padding: 1rem 1.25rem 2rem; color: var(--dim); font-size: .88rem; }
body > footer p { margin: 0 0 .3rem; overflow-wrap: anywhere; white-space: pre-line; }
body > header a, body > header strong { display: inline-flex; gap: .6rem; align-items: center; color: var(--text); font-weight: 700; text-decoration: none; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
main.narrow { max-width: 34rem; padding-top: 8vh; overflow-wrap: anywhere; }
main.narrow p > strong { display: inline-block; max-width: 100%; }
h1 { font-size: 1.7rem; line-height: 1.2; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
a { color: var(--accent); }
code, pre { font: .88em/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .8rem 1rem; background: var(--soft); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
td code { overflow-wrap: anywhere; }
button { font: inherit; padding: .6rem 1.2rem; border: 1px solid var(--accent); border-radius: .4rem;
  max-width: 100%; cursor: pointer; background: var(--fill); color: var(--on-fill); }
button.second { background: none; color: var(--accent); }
small { color: var(--dim); }
input { font: inherit; accent-color: var(--accent); }
input:not([type=checkbox]), select, textarea { font: inherit; width: 100%; margin-top: .25rem; padding: .55rem .7rem; border: 1px solid var(--edge);
  border-radius: .4rem; background: var(--ground); color: var(--text); }
input[type=checkbox] { flex: none; width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; }
fieldset { margin: 1rem 0; padding: .25rem 1rem .75rem; border: 1px solid var(--line); border-radius: .4rem; min-width: 0; }
legend { padding: 0 .4rem; font-weight: 600; }
label.choice { display: flex; gap: .75rem; padding: .25rem 0; }
label.choice > span { min-width: 0; }
form + form.apart { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media (max-width: 30rem) {
  main.narrow { padding-top: 2rem; }
  main.narrow button { width: 100%; }
  main.narrow button + button { margin-top: .6rem; }
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
