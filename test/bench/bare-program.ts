// The program of the scenario `bare`: accepts the benchmark's messages, commits them in groups, has a thread sign and send them,
// and commits the outcome. It does not check keys, validate, limit, suppress, resolve or explain, and runs no part of Mailkeel
// except its SQLite driver. Arguments: folder, port of the sink, port to listen on.
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Database } from '../../src/database/engine/sqlite-driver.js';

export interface BareMessage {
  id: number;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

interface Request {
  message: Omit<BareMessage, 'id'> & { idempotency_key: string };
  octets: string;
  response: ServerResponse;
}

/** As in the product's committer: the time that a group waits for more changes. */
const PAUSE_MS = 3;
const [folder = '', sinkPort = '', port = ''] = process.argv.slice(2);

const database = new Database(join(folder, 'bare.db'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('cache_size = -16000');
database.pragma('wal_autocheckpoint = 2000');
database.exec(`
  CREATE TABLE messages (id INTEGER PRIMARY KEY, recipient TEXT, octets TEXT, key TEXT UNIQUE, status TEXT, at INTEGER);
  CREATE INDEX messages_by_recipient ON messages (recipient, id);
  CREATE TABLE queue (id INTEGER PRIMARY KEY, domain TEXT, due INTEGER);
  CREATE INDEX queue_by_domain ON queue (domain, due);
  CREATE TABLE events (id INTEGER PRIMARY KEY, message INTEGER, kind TEXT, at INTEGER, hash BLOB);
  CREATE INDEX events_by_message ON events (message);`);
const insertMessage = database.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)');
const insertQueued = database.prepare('INSERT INTO queue VALUES (?, ?, ?)');
const insertEvent = database.prepare('INSERT INTO events (message, kind, at, hash) VALUES (?, ?, ?, ?)');
const setStatus = database.prepare('UPDATE messages SET status = ? WHERE id = ?');
const removeQueued = database.prepare('DELETE FROM queue WHERE id = ?');

const worker = new Worker(new URL('./bare-delivery.js', import.meta.url), { workerData: Number(sinkPort) });
let lastId = 0;
let lastHash = sha256('');
let requests: Request[] = [];
let sent: number[] = [];
let isPlanned = false;

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function plan(): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(commit, PAUSE_MS);
}

function addEvent(message: number, kind: string): void {
  const at = Date.now();
  lastHash = sha256(`${lastHash.toString('hex')}${kind}${message}${at}`);
  insertEvent.run(message, kind, at, lastHash);
}

const commitGroup = database.transaction(
  (group: readonly Request[], outcomes: readonly number[]): BareMessage[] => {
    const messages = group.map(({ message: { idempotency_key: key, ...message }, octets }) => {
      lastId += 1;
      insertMessage.run(lastId, message.to, octets, key, 'queued', Date.now());
      insertQueued.run(lastId, message.to.slice(message.to.indexOf('@') + 1), Date.now());
      addEvent(lastId, 'accepted');
      addEvent(lastId, 'queued');
      return { id: lastId, ...message };
    });
    for (const id of outcomes) {
      setStatus.run('delivered', id);
      removeQueued.run(id);
      addEvent(id, 'sent');
      addEvent(id, 'delivered');
    }
    return messages;
  },
);

function commit(): void {
  isPlanned = false;
  const group = requests;
  const outcomes = sent;
  requests = [];
  sent = [];
  const messages = commitGroup.immediate(group, outcomes);
  if (messages.length > 0) worker.postMessage(messages);
  messages.forEach(({ id }, place) => {
    const answer = JSON.stringify({ id: `msg_${id}`, status: 'queued' });
    const headers = { 'content-type': 'application/json', 'content-length': answer.length };
    group[place]?.response.writeHead(202, headers).end(answer);
  });
}

worker.on('message', (ids: number[]) => {
  sent.push(...ids);
  plan();
});
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const octets = Buffer.concat(pieces).toString('utf8');
    requests.push({ message: JSON.parse(octets) as Request['message'], octets, response });
    plan();
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
