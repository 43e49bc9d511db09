// Pages behind the links of invitations and password resets. The token is in the fragment, which browsers never send, so it
// appears in no log. The script posts it on submission, and opening a page changes nothing.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../../http/api.js';
import { readLanguage, sayIn } from '../../http/language.js';
import { html, type Html } from '../../lib/http/index.js';
import { SCRIPTED_PAGE_POLICY, scriptedPage } from '../../pages/scripted-page.pages.js';

const PASSWORD_RULE = 'Use at least 12 characters. Do not use your email address or a common password.';

/** Hidden field, under which password managers store the password. */
const ACCOUNT: Html = html`<input id="account" type="email" autocomplete="username" hidden readonly />`;

type Say = (text: string) => string;

/** Sentences that the script shows, with placeholders in capitals. */
const scriptTexts = (say: Say): Html =>
  html`<span
    id="texts"
    hidden
    data-invites="${say('ORGANIZATION has invited ADDRESS to join as ROLE.')}"
    data-known-password="${say('Your account password')}"
    data-code="${say('Your account also requires a code.')}"
  ></span>`;

const invitation = (say: Say): Html =>
  html`<h1>${say('Accept invitation')}</h1>
    <p id="intro" dir="auto">${say('One moment…')}</p>
    <p id="problem" role="alert" hidden></p>
    ${scriptTexts(say)}
    <form id="form" hidden>
      ${ACCOUNT}
      <p id="name-field">
        <label for="name">${say('Your name')}</label>
        <input id="name" name="name" autocomplete="name" maxlength="100" dir="auto" />
      </p>
      <p>
        <label for="password" id="password-label">${say('Choose a password')}</label>
        <input id="password" type="password" autocomplete="new-password" maxlength="200" required />
        <small id="rule">${say(PASSWORD_RULE)}</small>
      </p>
      <p id="code-field" hidden>
        <label for="code">${say('Authenticator code or recovery code')}</label>
        <input id="code" autocomplete="one-time-code" maxlength="40" />
      </p>
      <p><button type="submit">${say('Accept')}</button></p>
    </form>
    <p id="done" role="status" hidden>
      ${say('You have joined the organization.')} <a href="/sign-in">${say('Sign in to the dashboard')}</a>
    </p>`;

const reset = (say: Say): Html =>
  html`<h1>${say('New password')}</h1>
    <p id="problem" role="alert" hidden></p>
    <form id="form">
      ${ACCOUNT}
      <p>
        <label for="password">${say('Choose a password')}</label>
        <input id="password" type="password" autocomplete="new-password" maxlength="200" required />
        <small>${say(PASSWORD_RULE)}</small>
      </p>
      <p><button type="submit">${say('Set password')}</button></p>
    </form>
    <p id="done" role="status" hidden>
      ${say('Your password has been changed, and all your sessions have been signed out.')}
      <a href="/sign-in">${say('Sign in')}</a>
    </p>`;

const SCRIPT = `const byId = (id) => document.getElementById(id);
const token = location.hash.slice(1);
async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  return answer;
}
function show(error) {
  byId('problem').textContent = error.message;
  byId('problem').hidden = false;
}
function done() {
  byId('problem').hidden = true;
  byId('form').hidden = true;
  byId('done').hidden = false;
  history.replaceState(null, '', location.pathname);
}
function onSubmit(send) {
  byId('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = byId('form').querySelector('button');
    button.disabled = true;
    try {
      await send(byId('password').value);
      done();
    } catch (error) {
      show(error);
      button.disabled = false;
    }
  });
}
function secondFactor(code) {
  if (code === '') return {};
  return /^[0-9]{6}$/.test(code) ? { totp: code } : { recovery_code: code };
}
async function invitation() {
  const intro = byId('intro');
  try {
    const view = await post('/v1/invitations/view', { token });
    const values = { ORGANIZATION: view.organization_name, ADDRESS: view.email, ROLE: view.role };
    intro.textContent = byId('texts').dataset.invites.replace(/ORGANIZATION|ADDRESS|ROLE/g, (name) => values[name]);
    byId('account').value = view.email;
    if (view.has_account) {
      byId('name-field').hidden = true;
      byId('rule').hidden = true;
      byId('password-label').textContent = byId('texts').dataset.knownPassword;
      byId('password').autocomplete = 'current-password';
    }
    byId('form').hidden = false;
  } catch (error) {
    intro.hidden = true;
    show(error);
  }
  onSubmit(async (password) => {
    const name = byId('name').value.trim();
    const given = name === '' ? { token, password } : { token, name, password };
    try {
      await post('/v1/invitations/accept', { ...given, ...secondFactor(byId('code').value.trim()) });
    } catch (error) {
      if (error.code !== 'totp_required') throw error;
      byId('code-field').hidden = false;
      byId('code').focus();
      throw new Error(byId('texts').dataset.code);
    }
  });
}
if (location.pathname === '/invitation') invitation();
else onSubmit((password) => post('/v1/auth/password-reset/confirm', { token, password }));
`;

/** Declares `GET /invitation`, `GET /reset-password` and their script. */
export function peoplePageRoutes(app: Api): void {
  const isPublic = { config: { public: true }, schema: { hide: true } };
  const answer =
    (title: string, bodyOf: (say: Say) => Html) => (request: FastifyRequest, reply: FastifyReply) => {
      const language = readLanguage(request);
      const say = sayIn(language);
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', SCRIPTED_PAGE_POLICY)
        .send(scriptedPage({ title: say(title), body: bodyOf(say), scriptPath: '/people.js', language }));
    };
  app.get('/invitation', isPublic, answer('Invitation to Mailkeel', invitation));
  app.get('/reset-password', isPublic, answer('Reset your Mailkeel password', reset));
  app.get('/people.js', isPublic, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SCRIPT),
  );
}
