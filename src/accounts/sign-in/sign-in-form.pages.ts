// The sign-in of pages on which a person decides about a program, without leaving the page.
import { html, type Html } from '../../lib/http/index.js';

type Say = (text: string) => string;

/** Sentences that the script shows, by name. */
export const SIGN_IN_TEXTS = { totp: 'Your account also requires a code.' } as const;

/** Goes into a page whose steps have `data-step`; one of them is shown. */
export const signInForm = (say: Say): Html =>
  html`<form id="sign-in" data-step hidden>
    <h2>${say('Sign in')}</h2>
    <p>
      <label for="email">${say('Your email address')}</label>
      <input id="email" type="email" autocomplete="username" maxlength="320" required />
    </p>
    <p>
      <label for="password">${say('Your password')}</label>
      <input id="password" type="password" autocomplete="current-password" maxlength="200" required />
    </p>
    <p id="totp-field" hidden>
      <label for="totp">${say('Authenticator code or recovery code')}</label>
      <input id="totp" autocomplete="one-time-code" maxlength="40" />
    </p>
    <p><button type="submit">${say('Sign in')}</button></p>
  </form>`;

/** A list with a label. Options are values with their texts; without any, the script adds them. */
export function selectField(
  say: Say,
  { id, label, options, hint }: { id: string; label: string; options: Record<string, string>; hint?: Html },
): Html {
  const items = Object.entries(options).map(
    ([value, text]) => html`<option value="${value}">${say(text)}</option>`,
  );
  return html`<p>
    <label for="${id}">${say(label)}</label>
    <select id="${id}">
      ${items}
    </select>
    ${hint ?? []}
  </p>`;
}

/**
 * Begins the script of such a page. The page's own part defines `signedIn(session)` and calls `begin()`; `texts` are the sentences
 * in the element of that ID.
 */
export const SIGN_IN_SCRIPT = `const byId = (id) => document.getElementById(id);
const texts = JSON.parse(byId('texts').dataset.texts);
let csrf = '';
async function ask(method, path, body, headers) {
  const response = await fetch(path, {
    method,
    headers: { 'X-CSRF-Token': csrf, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  return answer;
}
function only(id) {
  for (const one of document.querySelectorAll('[data-step]')) one.hidden = one.id !== id;
  byId('problem').hidden = true;
}
function show(error) {
  byId('problem').textContent = error.message;
  byId('problem').hidden = false;
}
/** Runs a step of the page with its buttons disabled. */
async function step(form, work) {
  const buttons = [...byId(form).querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  try {
    await work();
  } catch (error) {
    show(error);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}
function onSubmit(form, work) {
  byId(form).addEventListener('submit', (event) => {
    event.preventDefault();
    step(form, work);
  });
}
onSubmit('sign-in', async () => {
  const code = byId('totp').value.trim();
  const factor = code === '' ? {} : /^[0-9]{6}$/.test(code) ? { totp: code } : { recovery_code: code };
  const body = { email: byId('email').value, password: byId('password').value, ...factor };
  try {
    await signedIn(await ask('POST', '/v1/auth/sign-in', body));
  } catch (error) {
    if (error.code !== 'totp_required') throw error;
    byId('totp-field').hidden = false;
    byId('totp').focus();
    throw new Error(texts.totp);
  }
});
function begin() {
  ask('GET', '/v1/auth/session').then(signedIn, () => only('sign-in'));
}
`;
