// The page on which a person approves a program that shows a code (RFC 8628, section 3.3). The code may be in the fragment of the
// link. Opening the page changes nothing. People who are not signed in can sign in there.
import type { Api } from '../../http/api.js';
import { readLanguage, sayIn } from '../../http/language.js';
import { html, type Html } from '../../lib/http/index.js';
import { SCRIPTED_PAGE_POLICY, scriptedPage } from '../../pages/scripted-page.pages.js';
import { SIGN_IN_SCRIPT, SIGN_IN_TEXTS, selectField, signInForm } from './sign-in-form.pages.js';

type Say = (text: string) => string;

const TITLE = 'Authorize an application';
/** Outcomes that the script shows, by name. */
const TEXTS = {
  ...SIGN_IN_TEXTS,
  unknown: 'unknown',
  approved: 'Approved. Return to the application. You can close this page.',
  denied: 'Denied. The application does not receive an API key. You can close this page.',
} as const;

const devicePage = (say: Say): Html =>
  html`<h1>${say(TITLE)}</h1>
    <p id="problem" role="alert" hidden></p>
    ${signInForm(say)}
    <form id="find" data-step hidden>
      <p>
        <label for="code">${say('Code shown by the application')}</label>
        <input
          id="code"
          autocomplete="off"
          spellcheck="false"
          maxlength="20"
          placeholder="WDJB-MJHT"
          required
        />
      </p>
      <p><button type="submit">${say('Continue')}</button></p>
    </form>
    <form id="decide" data-step hidden>
      <p>
        <strong id="client"></strong> ${say('is requesting an API key from the IP address')}
        <span id="ip"></span>, ${say('with the code')}
      </p>
      <p><code id="shown"></code></p>
      <p>${say('Approve only if you just started this application and it shows the same code.')}</p>
      ${selectField(say, { id: 'workspace', label: 'Workspace', options: {} })}
      ${selectField(say, {
        id: 'mode',
        label: 'Environment',
        options: { test: 'Test: sandbox only', live: 'Live: real mail' },
      })}
      ${selectField(say, {
        id: 'permission',
        label: 'Permission',
        options: {
          full: 'Full access to the workspace',
          send: 'Send and read messages',
          read: 'Read-only access',
          admin: 'Full access to the organization',
        },
      })}
      <p>
        <button type="submit">${say('Approve')}</button>
        <button type="button" id="deny" class="second">${say('Deny')}</button>
      </p>
    </form>
    <div id="done" role="status" data-step hidden>
      <p id="outcome"></p>
      <p><a href="/sign-in">${say('Go to the dashboard')}</a></p>
    </div>
    <span id="texts" hidden data-texts="${JSON.stringify(toldIn(say))}"></span>`;

function toldIn(say: Say): Record<string, string> {
  return Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, say(text)]));
}

const SCRIPT = `${SIGN_IN_SCRIPT}async function signedIn(session) {
  csrf = session.csrf_token;
  for (const { id, name } of session.workspaces) byId('workspace').add(new Option(name, id));
  only('find');
  const code = decodeURIComponent(location.hash.slice(1));
  if (code === '') return;
  byId('code').value = code;
  await step('find', find);
}
const path = () => '/v1/auth/device/' + encodeURIComponent(byId('code').value);
async function find() {
  const device = await ask('GET', path());
  byId('client').textContent = device.client_name;
  byId('ip').textContent = device.ip ?? texts.unknown;
  byId('shown').textContent = device.user_code;
  byId('mode').value = device.mode;
  only('decide');
}
function done(text) {
  byId('outcome').textContent = text;
  only('done');
  history.replaceState(null, '', location.pathname);
}
onSubmit('find', find);
onSubmit('decide', async () => {
  const choice = { mode: byId('mode').value, permission: byId('permission').value };
  await ask('POST', path() + '/approve', choice, { 'X-Workspace-Id': byId('workspace').value });
  done(texts.approved);
});
byId('deny').addEventListener('click', () =>
  step('decide', async () => {
    await ask('POST', path() + '/deny', null, { 'X-Workspace-Id': byId('workspace').value });
    done(texts.denied);
  }),
);
begin();
`;

/** Declares `GET /device` and its script. */
export function devicePageRoutes(app: Api): void {
  const isPublic = { config: { public: true }, schema: { hide: true } };
  app.get('/device', isPublic, (request, reply) => {
    const language = readLanguage(request);
    const say = sayIn(language);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', SCRIPTED_PAGE_POLICY)
      .send(scriptedPage({ title: say(TITLE), body: devicePage(say), scriptPath: '/device.js', language }));
  });
  app.get('/device.js', isPublic, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SCRIPT),
  );
}
