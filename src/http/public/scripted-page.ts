// The few pages that have a script, and whose script asks us.
import { html, page, type Html } from '../html.js';

export const SCRIPTED_PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A narrow page in the common style. */
export function scriptedPage(title: string, body: Html, scriptPath: string): string {
  return page(
    title,
    html`<main class="narrow">${body}</main>
      <script src="${scriptPath}"></script>`,
  );
}
