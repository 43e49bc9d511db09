// The page that verifies a proof. The browser verifies a dropped file with the public keys of this server, without uploading it.
// Ed25519 (RFC 8032) over canonical JSON (RFC 8785), by WebCrypto.
import type { Api } from '../../http/api.js';
import { readLanguage, sayIn } from '../../http/language.js';
import { html, type Html } from '../../lib/http/index.js';
import { SCRIPTED_PAGE_POLICY, scriptedPage } from '../../pages/scripted-page.pages.js';
import { BUNDLE_TEXT_FIELDS } from './proof.rules.js';

type Say = (text: string) => string;

const TITLE = 'Verify a proof';
/** Verdicts that the script shows, by name. */
const TEXTS = {
  genuine: 'The proof is valid.',
  sandbox: 'The proof is valid, but it is for a sandbox message that was not delivered to anyone.',
  changed: 'The proof is invalid. It was modified or signed by another server.',
  unreadable: 'This file is not a proof.',
  unable: 'This browser cannot verify proofs. Use a current browser and open this page over https.',
  keyless: "The server's public keys could not be loaded. Try again.",
} as const;

const page = (say: Say): Html =>
  html`<h1>${say(TITLE)}</h1>
    <p>
      ${say('Choose a proof.json file, or drop it here.')}
      ${say("Your browser verifies the file with this server's public keys. The file is not uploaded.")}
    </p>
    <p>
      <label>${say('Proof')}<br /><input id="file" type="file" accept="application/json,.json" /></label>
    </p>
    <p id="verdict" role="status"></p>
    <dl id="facts" hidden>
      <dt>${say('Message')}</dt>
      <dd><code id="message_id"></code></dd>
      <dt>${say('From')}</dt>
      <dd id="from" dir="auto"></dd>
      <dt>${say('To')}</dt>
      <dd id="to" dir="auto"></dd>
      <dt>${say('Subject')}</dt>
      <dd id="subject" dir="auto"></dd>
      <dt>${say('Status')}</dt>
      <dd id="status"></dd>
      <dt>${say('Issued')}</dt>
      <dd id="issued_at"></dd>
      <dt class="approval" hidden>${say('Approved by')}</dt>
      <dd class="approval" hidden></dd>
    </dl>
    <span id="texts" hidden data-texts="${JSON.stringify(toldIn(say))}"></span>`;

function toldIn(say: Say): Record<string, string> {
  return Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, say(text)]));
}

const SCRIPT = `const TEXT_FIELDS = ${JSON.stringify(BUNDLE_TEXT_FIELDS)};
const MOST_BYTES = 64 * 1024 * 1024;
const byId = (id) => document.getElementById(id);
const texts = JSON.parse(byId('texts').dataset.texts);
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function canonical(value) {
  if (Array.isArray(value)) return '[' + value.map(canonical).join(',') + ']';
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => JSON.stringify(key) + ':' + canonical(value[key]));
  return '{' + members.join(',') + '}';
}
const octets = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
const isSigned = (key, value, signature) =>
  crypto.subtle.verify('Ed25519', key, octets(signature), new TextEncoder().encode(canonical(value)));

/** Readers of a key that comes twice may disagree about its value. */
function repeatsKey(json, value) {
  const strings = json.match(/"(?:[^"\\\\]|\\\\.)*"\\s*:?/gs) ?? [];
  const count = (one) =>
    typeof one !== 'object' || one === null
      ? 0
      : Object.values(one).reduce((sum, item) => sum + count(item), Array.isArray(one) ? 0 : Object.keys(one).length);
  return strings.filter((text) => text.endsWith(':')).length !== count(value);
}

function isBundle(bundle) {
  if (!isRecord(bundle) || Object.keys(bundle).length !== TEXT_FIELDS.length + 1) return false;
  return Array.isArray(bundle.audit) && TEXT_FIELDS.every((field) => typeof bundle[field] === 'string');
}

async function fetchKeys() {
  const response = await fetch('/.well-known/proof-keys.json');
  return response.ok ? (await response.json()).keys : null;
}

async function signerOf(proof, keys) {
  for (const { public_key: text, sandbox } of keys) {
    const key = await crypto.subtle.importKey('raw', octets(text), 'Ed25519', false, ['verify']);
    if (!(await isSigned(key, proof.bundle, proof.signature))) continue;
    return proof.public_key === undefined || proof.public_key === text ? { key, sandbox } : null;
  }
  return null;
}

async function verdictOn(json) {
  let proof;
  try {
    proof = JSON.parse(json);
  } catch {
    return { verdict: 'unreadable' };
  }
  if (!isRecord(proof) || !isBundle(proof.bundle) || typeof proof.signature !== 'string') return { verdict: 'unreadable' };
  if (repeatsKey(json, proof)) return { verdict: 'changed' };
  const keys = await fetchKeys().catch(() => null);
  if (keys === null) return { verdict: 'keyless' };
  try {
    const signer = await signerOf(proof, keys);
    if (signer === null) return { verdict: 'changed' };
    const { attestation, attestation_signature: attested, signature, bundle } = proof;
    if (attestation === undefined) return { verdict: signer.sandbox ? 'sandbox' : 'genuine', bundle };
    if (!(await isSigned(signer.key, { attestation, signature }, attested))) return { verdict: 'changed' };
    const { approval } = attestation;
    if (approval !== undefined && approval.content_hash !== bundle.content_hash) return { verdict: 'changed' };
    return { verdict: signer.sandbox || attestation.sandbox ? 'sandbox' : 'genuine', bundle, approval };
  } catch (error) {
    return { verdict: error.name === 'NotSupportedError' ? 'unable' : 'changed' };
  }
}

/** A proof that is nested too deeply for the stack, or that the browser cannot hold, cannot be read. */
async function verdictOnFile(file) {
  if (typeof crypto.subtle !== 'object') return { verdict: 'unable' };
  if (file.size > MOST_BYTES) return { verdict: 'unreadable' };
  return file.text().then(verdictOn).catch(() => ({ verdict: 'unreadable' }));
}

let checks = 0;
async function check(file) {
  const number = ++checks;
  byId('facts').hidden = true;
  byId('verdict').textContent = '';
  delete byId('verdict').dataset.verdict;
  const found = await verdictOnFile(file);
  // Another file was chosen meanwhile.
  if (number !== checks) return;
  byId('verdict').textContent = texts[found.verdict];
  byId('verdict').dataset.verdict = found.verdict;
  if (found.bundle === undefined) return;
  for (const name of ['message_id', 'from', 'to', 'subject', 'status']) byId(name).textContent = found.bundle[name];
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'long' });
  byId('issued_at').textContent = format.format(new Date(found.bundle.issued_at));
  const [name, value] = document.querySelectorAll('.approval');
  name.hidden = value.hidden = found.approval === undefined;
  if (found.approval !== undefined) {
    value.textContent = found.approval.approver_email + ', ' + format.format(new Date(found.approval.approved_at));
  }
  byId('facts').hidden = false;
}

byId('file').addEventListener('change', (event) => {
  const [file] = event.target.files;
  if (file !== undefined) check(file);
});
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file !== undefined) check(file);
});
`;

/** Declares `GET /proof` and its script. */
export function proofPageRoutes(app: Api): void {
  const isPublic = { config: { public: true }, schema: { hide: true } };
  app.get('/proof', isPublic, (request, reply) => {
    const language = readLanguage(request);
    const say = sayIn(language);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', SCRIPTED_PAGE_POLICY)
      .send(scriptedPage({ title: say(TITLE), body: page(say), scriptPath: '/proof.js', language }));
  });
  app.get('/proof.js', isPublic, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SCRIPT),
  );
}
