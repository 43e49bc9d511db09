// The one-time setup page exchanges the token of the setup link for the owner's account and a live and a test key. The new owner
// is signed in and continues on the dashboard, which shows the keys once. This page shows them if the browser has no storage. The
// token is in the fragment, which browsers never send, so it appears in no log. The script posts it on submission.
import { Type } from 'typebox';
import { emailAddress, password } from './user.schema.js';
import type { AccountContext } from '../context.js';
import type { SetupOwner } from './setup-owner.js';
import type { Api } from '../../http/api.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany } from '../../http/access/caller.js';
import { createFailureLimit } from '../../http/access/rate-limit.js';
import { setBrowserCookie, setSessionCookie, readVisitor } from '../access/session-auth.js';
import { readLanguage, sayIn } from '../../http/language.js';
import { html, type Html } from '../../lib/http/index.js';
import { SCRIPTED_PAGE_POLICY, scriptedPage } from '../../pages/scripted-page.pages.js';

type Say = (text: string) => string;

const ownerFields = (say: Say): Html =>
  html`<p>
      <label for="email">${say('Your email address')}</label>
      <input id="email" type="email" autocomplete="username" maxlength="320" required />
    </p>
    <p>
      <label for="password">${say('Choose a password')}</label>
      <input
        id="password"
        type="password"
        autocomplete="new-password"
        minlength="12"
        maxlength="200"
        required
      />
      <small>${say('Use at least 12 characters. Do not use your email address or a common password.')}</small>
    </p>`;

const WHAT_IT_MAKES =
  'This link works once and expires after 24 hours. It creates your owner account and two API keys: a test key for the sandbox, which needs no domain and delivers nothing, and a live key for real mail.';

function pageBody(needsOwner: boolean, say: Say): Html {
  if (!needsOwner) {
    return html`<h1>${say('Mailkeel is set up')}</h1>
      <p>
        ${say('This server already has an owner, so the setup link is no longer valid.')}
        <a href="/sign-in">${say('Sign in')}</a>
      </p>`;
  }
  return html`<h1>${say('Set up Mailkeel')}</h1>
    <p>${say(WHAT_IT_MAKES)}</p>
    <form id="form">
      ${ownerFields(say)}
      <p><button id="make" type="submit">${say('Create account and keys')}</button></p>
    </form>
    <p id="problem" role="alert" hidden></p>
    <section id="keys" hidden aria-live="polite">
      <h2>${say('Your API keys (shown only once)')}</h2>
      <dl>
        <dt>${say('Test key')}</dt>
        <dd><code id="test-key"></code></dd>
        <dt>${say('Live key')}</dt>
        <dd><code id="live-key"></code></dd>
      </dl>
      <h2>${say('Send a sandbox message')}</h2>
      <pre><code id="curl"></code></pre>
      <p><a href="/sign-in">${say('Sign in to the dashboard')}</a></p>
      <p><a href="/docs">${say('Read the API reference')}</a></p>
    </section>`;
}

const SCRIPT = `const byId = (id) => document.getElementById(id);
/** Passes the keys to the dashboard in this tab. Returns false if the browser has no storage. */
function handedOn(keys) {
  try {
    sessionStorage.setItem('mailkeel.first-keys', JSON.stringify(keys));
    return true;
  } catch {
    return false;
  }
}
byId('form')?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = { token: location.hash.slice(1), email: byId('email').value, password: byId('password').value };
  byId('make').disabled = true;
  byId('problem').hidden = true;
  try {
    const response = await fetch('/setup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.message);
    if (handedOn({ test_key: answer.test_key, live_key: answer.live_key, email: body.email })) {
      location.replace('/');
      return;
    }
    byId('test-key').textContent = answer.test_key;
    byId('live-key').textContent = answer.live_key;
    byId('curl').textContent =
      'curl -s ' + location.origin + '/v1/messages -H "Authorization: Bearer ' + answer.test_key + '" ' +
      '-H "Content-Type: application/json" ' +
      "-d '{\\"from\\":\\"me@example.com\\",\\"to\\":\\"delivered@example.com\\",\\"subject\\":\\"Hello\\",\\"text\\":\\"It works.\\"}'";
    byId('form').hidden = true;
    byId('keys').hidden = false;
    history.replaceState(null, '', '/setup');
  } catch (error) {
    byId('problem').textContent = error.message;
    byId('problem').hidden = false;
    byId('make').disabled = false;
  }
});
`;

export function setupRoutes(
  app: Api,
  { settings }: Pick<AccountContext, 'settings'>,
  owner: SetupOwner,
): void {
  const isPublic = { config: { public: true }, schema: { hide: true } };
  const limit = refuseTooMany(createFailureLimit(app, settings));
  app.get('/setup', isPublic, async (request, reply) => {
    const language = readLanguage(request);
    const say = sayIn(language);
    const body = pageBody(await owner.isNeeded(), say);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', SCRIPTED_PAGE_POLICY)
      .send(scriptedPage({ title: say('Set up Mailkeel'), body, scriptPath: '/setup.js', language }));
  });
  app.get('/setup.js', isPublic, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SCRIPT),
  );
  app.post(
    '/setup',
    {
      config: { public: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: limit,
      schema: {
        hide: true,
        body: Type.Object(
          {
            token: Type.String({ maxLength: 200 }),
            email: Type.Optional(emailAddress),
            password: Type.Optional(password),
          },
          { additionalProperties: false },
        ),
      },
    },
    async (request, reply) => {
      const { token, email, password: chosen } = request.body;
      const given = {
        ...(email === undefined ? {} : { email }),
        ...(chosen === undefined ? {} : { password: chosen }),
      };
      const { liveKey, testKey, more: session } = await owner.setUp(token, given, readVisitor(request));
      const { publicUrl, sessionLifetimeMs: lifetimeMs } = settings;
      setSessionCookie(reply, session.token, { publicUrl, lifetimeMs });
      setBrowserCookie(reply, session.browserToken, publicUrl);
      return { live_key: liveKey, test_key: testKey };
    },
  );
}
