// The consent page, on which a signed-in person connects an application (OAuth 2.1 section 4.1.1). Opening it changes nothing. Its
// script reads the request from the address, and posts the decision with the session's CSRF token.
import type { Api } from '../../http/api.js';
import { readLanguage, sayIn } from '../../http/language.js';
import { html, type Html } from '../../lib/http/index.js';
import { SCRIPTED_PAGE_POLICY, scriptedPage } from '../../pages/scripted-page.pages.js';
import { SIGN_IN_SCRIPT, SIGN_IN_TEXTS, selectField, signInForm } from '../sign-in/sign-in-form.pages.js';

type Say = (text: string) => string;

const TITLE = 'Connect an application';
const DEFAULT_MAX_PER_DAY = 100;
/** Sentences that the script shows, by name. */
const TEXTS = {
  ...SIGN_IN_TEXTS,
  verified: 'The application is operated by this host and calls itself “NAME”.',
  verifiedNameless: 'The application is operated by this host.',
  unverified: 'The application calls itself “NAME”. This name is not verified.',
  nameless: 'The application has no name.',
  sent: 'You can close this page if your application has opened.',
} as const;

const policyFields = (say: Say): Html =>
  html`<fieldset id="policy" hidden>
    <legend>${say('Send policy')}</legend>
    <p>
      <label for="recipients">${say('Allowed recipients')}</label>
      <textarea id="recipients" rows="3" spellcheck="false" aria-describedby="recipients-hint"></textarea>
      <small id="recipients-hint"
        >${say('One address or domain per line, or thread_participants or contacts. Leave empty to allow all recipients.')}</small
      >
    </p>
    <p>
      <label for="senders">${say('Allowed senders')}</label>
      <textarea id="senders" rows="2" spellcheck="false" aria-describedby="senders-hint"></textarea>
      <small id="senders-hint">${say('Leave empty to allow all verified senders.')}</small>
    </p>
    <p>
      <label for="per-day">${say('Messages per day')}</label>
      <input id="per-day" type="number" min="1" max="10000000" value="${DEFAULT_MAX_PER_DAY}" />
    </p>
    ${selectField(say, {
      id: 'approval',
      label: 'Approval by a person',
      options: {
        never: 'Not required',
        outside_allowlist: 'For messages outside the lists',
        always: 'For every message',
      },
    })}
    <label class="choice">
      <input id="no-attachments" type="checkbox" checked />
      <span>${say('Refuse attachments')}</span>
    </label>
  </fieldset>`;

const consentForm = (say: Say): Html =>
  html`<form id="decide" data-step hidden>
    <p><strong id="host"></strong> ${say('requests access to your mail.')}</p>
    <p id="name"></p>
    <p id="this-computer" hidden>
      ${say('The application runs on this computer. Any program on this computer can use this name, so continue only if you just started it.')}
    </p>
    <p id="this-device" hidden>
      ${say('The application is installed on this device. Any application on this device can use this name, so continue only if you just started it.')}
    </p>
    <p>${say('After your decision, your browser returns to')} <code id="target"></code></p>
    ${selectField(say, { id: 'workspace', label: 'Workspace', options: {} })}
    ${selectField(say, {
      id: 'mode',
      label: 'Environment',
      options: { live: 'Live: real mail', test: 'Test: sandbox only' },
    })}
    ${selectField(say, {
      id: 'permission',
      label: 'Permission',
      options: { read: 'Read-only access', send: 'Send and read messages' },
      hint: html`<small id="wants-send" hidden
        >${say('The application asks for permission to send.')}</small
      >`,
    })}
    ${policyFields(say)}
    <p>${say('You can disconnect the application at any time on the API keys page.')}</p>
    <p>
      <button type="submit">${say('Connect')}</button>
      <button type="button" id="deny" class="second">${say('Deny')}</button>
    </p>
  </form>`;

const consentPage = (say: Say): Html =>
  html`<h1>${say(TITLE)}</h1>
    <p id="problem" role="alert" hidden></p>
    ${signInForm(say)} ${consentForm(say)}
    <div id="done" data-step role="status" hidden>
      <p>${say(TEXTS.sent)}</p>
      <p><a href="/sign-in">${say('Go to the dashboard')}</a></p>
    </div>
    <span id="texts" hidden data-texts="${JSON.stringify(toldIn(say))}"></span>`;

function toldIn(say: Say): Record<string, string> {
  return Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, say(text)]));
}

const SCRIPT = `${SIGN_IN_SCRIPT}const query = location.search.slice(1);
const post = (path, body) => ask('POST', path, { query, ...body }, { 'X-Workspace-Id': byId('workspace').value });
async function signedIn(session) {
  csrf = session.csrf_token;
  for (const { id, name } of session.workspaces) byId('workspace').add(new Option(name, id));
  only('');
  try {
    const request = await post('/oauth/authorization');
    consent(request);
  } catch (error) {
    show(error);
  }
}
/** Sets the name apart, so that neither its quotation marks nor its writing direction change the sentence around it. */
function quoted(text, name) {
  const [before, after] = text.split('NAME');
  const shown = document.createElement('strong');
  shown.dir = 'auto';
  shown.textContent = name;
  return [before, shown, after];
}
function consent({ name, verified_host: host, target, is_loopback: isLoopback, is_app: isApp, wants_send: wantsSend }) {
  byId('host').textContent = host ?? target;
  const text = host ? (name ? texts.verified : texts.verifiedNameless) : name ? texts.unverified : texts.nameless;
  byId('name').replaceChildren(...(name ? quoted(text, name) : [text]));
  byId('this-computer').hidden = !isLoopback;
  byId('this-device').hidden = !isApp;
  byId('target').textContent = target;
  byId('wants-send').hidden = !wantsSend;
  only('decide');
}
byId('permission').addEventListener('change', () => {
  byId('policy').hidden = byId('permission').value !== 'send';
});
const lines = (id) => byId(id).value.split('\\n').map((line) => line.trim()).filter((line) => line !== '');
function policy() {
  const [recipients, senders, perDay] = [lines('recipients'), lines('senders'), byId('per-day').value];
  return {
    ...(recipients.length > 0 ? { allowed_recipients: recipients } : {}),
    ...(senders.length > 0 ? { allowed_senders: senders } : {}),
    ...(perDay === '' ? {} : { max_per_day: Number(perDay) }),
    approval: byId('approval').value,
    content: { no_attachments: byId('no-attachments').checked },
  };
}
async function decide(decision) {
  const { redirect_to: to } = await post('/oauth/authorization/decision', decision);
  only('done');
  location.assign(to);
}
onSubmit('decide', () => {
  const permission = byId('permission').value;
  const choice = { decision: 'approve', mode: byId('mode').value, permission };
  return decide(permission === 'send' ? { ...choice, policy: policy() } : choice);
});
byId('deny').addEventListener('click', () => step('decide', () => decide({ decision: 'deny' })));
begin();
`;

/** Declares `GET /oauth/authorize` and its script. */
export function authorizePageRoutes(app: Api): void {
  const isPublic = { config: { public: true }, schema: { hide: true } };
  app.get('/oauth/authorize', isPublic, (request, reply) => {
    const language = readLanguage(request);
    const say = sayIn(language);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', SCRIPTED_PAGE_POLICY)
      .send(
        scriptedPage({
          ...{ title: say(TITLE), body: consentPage(say), language },
          scriptPath: '/oauth/authorize.js',
        }),
      );
  });
  app.get('/oauth/authorize.js', isPublic, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SCRIPT),
  );
}
