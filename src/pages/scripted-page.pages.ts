// Builds the few pages that have a script, which sends requests to this server.
import { html, type Html, page } from '../lib/http/index.js';
import { MARK } from '../http/mark.js';

export const SCRIPTED_PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A narrow page in the common style, under the name of the program. */
export function scriptedPage({
  title,
  body,
  scriptPath,
  language = 'en',
}: {
  title: string;
  body: Html;
  scriptPath: string;
  language?: string;
}): string {
  const whole = html`<header>
      <a href="/">${MARK} Mailkeel</a>
    </header>
    <main class="narrow">${body}</main>
    <script src="${scriptPath}"></script>`;
  return page(title, whole, { language });
}
