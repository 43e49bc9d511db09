// The one-time set-up page: turns the token of the start-up link into a live and a test key, shown once. The token is in
// the fragment, which browsers never send, so it stands in no log; the script posts it when the person asks.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../runtime/clock.js';
import type { Store } from '../../store/store.js';
import { useSetupToken } from '../../work/accounts/first-start.js';
import type { Api } from '../api/api.js';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Set up Posthorn</title>
<link rel="stylesheet" href="/setup.css">
</head>
<body>
<main>
<h1>Set up Posthorn</h1>
<p>This link works once. It makes two API keys: a <strong>test key</strong> for the sandbox, which needs no domain and
sends nothing, and a <strong>live key</strong> for real mail.</p>
<p><button id="make" type="button">Make my keys</button></p>
<p id="problem" role="alert" hidden></p>
<section id="keys" hidden aria-live="polite">
<h2>Your keys, shown only now</h2>
<dl>
<dt>Test key</dt><dd><code id="test-key"></code></dd>
<dt>Live key</dt><dd><code id="live-key"></code></dd>
</dl>
<h2>Send a message into the sandbox</h2>
<pre><code id="curl"></code></pre>
<p>Then read the <a href="/docs">API reference</a>: verify a domain with <code>POST /v1/senders</code>, or create a
sub-tenant with <code>POST /v1/sub-tenants</code>, and send with the live key.</p>
</section>
</main>
<script src="/setup.js"></script>
</body>
</html>
`;

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f8f9fa;color:#212529}
main{max-width:44rem;margin:3rem auto;padding:0 1rem}
button{font:inherit;padding:.5rem 1rem;border:0;border-radius:.4rem;background:#3b5bdb;color:#fff;cursor:pointer}
button:disabled{background:#868e96}
code{font:14px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
pre{background:#fff;border:1px solid #ced4da;border-radius:.4rem;padding:.75rem;white-space:pre-wrap}
dt{font-weight:600}dd{margin:0 0 .75rem}#problem{color:#c92a2a}
@media (prefers-color-scheme:dark){body{background:#1a1b1e;color:#dee2e6}pre{background:#25262b;border-color:#495057}
a{color:#91a7ff}#problem{color:#ffa8a8}}
`;

const SCRIPT = `const byId = (id) => document.getElementById(id);
byId('make').addEventListener('click', async () => {
  const token = location.hash.slice(1);
  byId('make').disabled = true;
  try {
    const response = await fetch('/setup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.message);
    byId('test-key').textContent = answer.test_key;
    byId('live-key').textContent = answer.live_key;
    byId('curl').textContent =
      'curl -s ' + location.origin + '/v1/messages -H "Authorization: Bearer ' + answer.test_key + '" ' +
      '-H "Content-Type: application/json" ' +
      "-d '{\\"from\\":\\"me@example.com\\",\\"to\\":\\"delivered@example.com\\",\\"subject\\":\\"Hello\\",\\"text\\":\\"It works.\\"}'";
    byId('keys').hidden = false;
    history.replaceState(null, '', '/setup');
  } catch (error) {
    byId('problem').textContent = error.message;
    byId('problem').hidden = false;
    byId('make').disabled = false;
  }
});
`;

/** Unlike other pages this one has a script, and the script asks us. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export interface SetupDeps {
  store: Pick<Store, 'accounts' | 'commit'>;
  clock: Clock;
}

export function setupRoutes(app: Api, { store, clock }: SetupDeps): void {
  const isPublic = { config: { public: true }, schema: { hide: true } };
  app.get('/setup', isPublic, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY).send(PAGE),
  );
  app.get('/setup.css', isPublic, (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
  app.get('/setup.js', isPublic, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SCRIPT),
  );
  app.post(
    '/setup',
    {
      config: { public: true },
      schema: {
        hide: true,
        body: Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: false }),
      },
    },
    async (request) => {
      const keys = await useSetupToken(store, request.body.token, clock());
      if (!keys) {
        throw new Refusal(
          'forbidden',
          'This set-up link was used, or a newer start of the server has replaced it.',
        );
      }
      return { live_key: keys.liveKey, test_key: keys.testKey };
    },
  );
}
