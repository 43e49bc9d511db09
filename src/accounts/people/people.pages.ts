// The pages behind the links of an invitation and of a new password. The token is in the fragment, which browsers never
// send, so it stands in no log; the script posts it when the person asks. Opening a page changes nothing.
import type { FastifyReply } from 'fastify';
import type { Api } from '../../api/api.js';
import { html, type Html } from '../../lib/http/html.js';
import { SCRIPTED_PAGE_POLICY, scriptedPage } from '../../pages/scripted-page.pages.js';

const PASSWORD_RULE = '12 characters or more, not your address, and not a common password.';

/** Hidden field: the browser's password store keeps the password by it. */
const ACCOUNT: Html = html`<input id="account" type="email" autocomplete="username" hidden readonly />`;

const INVITATION: Html = html`<h1>An invitation</h1>
  <p id="intro">One moment…</p>
  <p id="problem" role="alert" hidden></p>
  <form id="form" hidden>
    ${ACCOUNT}
    <p id="name-field">
      <label for="name">Your name</label>
      <input id="name" name="name" autocomplete="name" maxlength="100" />
    </p>
    <p>
      <label for="password" id="password-label">Choose a password</label>
      <input id="password" type="password" autocomplete="new-password" maxlength="200" required />
      <small id="rule">${PASSWORD_RULE}</small>
    </p>
    <p id="code-field" hidden>
      <label for="code">The code of your authenticator app, or a recovery code</label>
      <input id="code" autocomplete="one-time-code" maxlength="40" />
    </p>
    <p><button type="submit">Accept</button></p>
  </form>
  <p id="done" role="status" hidden>You are in. <a href="/sign-in">Sign in to the dashboard</a></p>`;

const RESET: Html = html`<h1>A new password</h1>
  <p id="problem" role="alert" hidden></p>
  <form id="form">
    ${ACCOUNT}
    <p>
      <label for="password">Choose a password</label>
      <input id="password" type="password" autocomplete="new-password" maxlength="200" required />
      <small>${PASSWORD_RULE}</small>
    </p>
    <p><button type="submit">Set the password</button></p>
  </form>
  <p id="done" role="status" hidden>
    Your new password is set, and you are signed out everywhere. <a href="/sign-in">Sign in</a>
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
    intro.textContent =
      view.organization_name + ' invites ' + view.email + ' to work with its mail, as ' + view.role + '.';
    byId('account').value = view.email;
    if (view.has_account) {
      byId('name-field').hidden = true;
      byId('rule').hidden = true;
      byId('password-label').textContent = 'The password of your account';
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
      throw new Error('Your account asks for a code too.');
    }
  });
}
if (location.pathname === '/invitation') invitation();
else onSubmit((password) => post('/v1/auth/password-reset/confirm', { token, password }));
`;

/** Declares `GET /invitation`, `GET /reset-password` and their script. */
export function peoplePageRoutes(app: Api): void {
  const isPublic = { config: { public: true }, schema: { hide: true } };
  const answer = (title: string, body: Html) => (_request: unknown, reply: FastifyReply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', SCRIPTED_PAGE_POLICY)
      .send(scriptedPage(title, body, '/people.js'));
  app.get('/invitation', isPublic, answer('An invitation to Posthorn', INVITATION));
  app.get('/reset-password', isPublic, answer('A new password for Posthorn', RESET));
  app.get('/people.js', isPublic, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SCRIPT),
  );
}
