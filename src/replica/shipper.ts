// Replicates the database to the storage: a base copy, then increments of later commits. Runs in a separate thread.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LogStartedAgain, type WalPosition, WalTail } from '../database/engine/wal-tail.js';
import { createLoop, createWakeUp, type Loop } from '../lib/concurrency/index.js';
import { hasCode } from '../lib/files/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import { type BaseManifest, copyBase, listBases, readableBase } from './base-copy.js';
import { claimGeneration, Fenced, newestClaim, refuseBehind, refuseTakenOver } from './claims.js';
import { whereToContinue } from './continuity.js';
import { fileState, type Identity, newServer, readIdentity, writeIdentity } from './identity.js';
import { Increments, NO_HASH } from './increments.js';
import { removeSurplus } from './kept.js';
import { parseReplicaName, type ReplicaNames } from './names.rules.js';
import { fileHash, MOST_FILE_BYTES } from './page-file.js';
import type { ReplicaStorage } from './replica-storage.js';
import type { ReplicaState, ShipperTiming } from './shipper-port.js';
import { Spool } from './spool.js';

const RETRY_MS = { first: 250, most: 5_000 };
/** Time (ms) between checks whether another server has taken over, if nothing is stored. */
const LOOK_MS = 10_000;
/** Time (ms) between checks whether the storage still has the base copy. */
const BASE_LOOK_MS = 300_000;
/** Pause (ms) after a base copy failed. */
const COPY_AGAIN_MS = 60_000;
/** Size of the log while the storage has not responded yet, as a multiple of its usual size. */
const MOST_UNREAD_LOGS = 8;
/** Longest time (ms) between increments while earlier ones wait for the storage. */
const MOST_CAPTURE_PAUSE_MS = 30_000;
/** Size of the log at which an increment is written nevertheless, as a multiple of its usual size. */
const LONG_LOGS = 4;
/**
 * Frames that may be checkpointed while writers wait. More remain if a long read transaction holds them, which no pause can change.
 */
const MOST_FRAMES_IN_TURN = 1_024;

interface ShipperOptions {
  /** Database file. */
  file: string;
  /** This machine's folder for increments that the storage does not have yet. */
  folder: string;
  archiveFolder: string;
  storage: ReplicaStorage;
  names: ReplicaNames;
  /** Seals what is stored. */
  key: Buffer;
  /** Returns the key files sealed under the passphrase; null without one. */
  sealKeys: () => Promise<string | null>;
  timing: ShipperTiming;
  clock: Clock;
  log: Log;
  /** Runs work while no transaction of the server runs. */
  inTurn: <T>(work: () => T) => Promise<T>;
  /** Another server writes the replica; nothing more is stored. */
  onFenced: (by: Fenced) => void;
}

export class Shipper {
  readonly #options: ShipperOptions;
  readonly #tail: WalTail;
  readonly #spool: Spool;
  readonly #loops: readonly Loop[];
  readonly #toCapture = createWakeUp();
  readonly #toStore = createWakeUp();
  /** Files of the event archive in the storage; null until they were listed. */
  #archived: Set<string> | null = null;
  readonly #stopping = new AbortController();
  /** Resolves with the first response of the storage, or without one. */
  readonly #decided: Promise<void>;
  #decide: () => void = () => undefined;
  #identity: Identity | null = null;
  /** `null` until the position to continue at is known. */
  #increments: Increments | null = null;
  #stored: { number: number; at: number | null; bytes: number } = { number: 0, at: null, bytes: 0 };
  #base: BaseManifest | null = null;
  #copying: Promise<void> | null = null;
  /** Time (epoch ms) of the next copy after one that failed. */
  #copyAgainAt = 0;
  #away: ReplicaState['away'] = null;
  /** Time (epoch ms) of the last increment. */
  #capturedAt = 0;
  #isFenced = false;
  /** This generation has missed commits. */
  #isInterrupted = false;
  #lookedAt = 0;
  #lookedForBaseAt = 0;
  /** `upTo` is null until what they wait for is captured. */
  #waiters: { upTo: number | null; resolve: () => void }[] = [];

  /** Holds the log of the database from now on. */
  constructor(options: ShipperOptions) {
    this.#options = options;
    this.#tail = new WalTail(options.file);
    this.#spool = new Spool(options.folder);
    this.#decided = new Promise((resolve) => {
      this.#decide = resolve;
    });
    const { timing, log } = options;
    this.#loops = [
      createLoop({
        name: 'replica increments',
        run: () => this.#captureAndTidy(),
        intervalMs: timing.intervalMs,
        wakeUp: this.#toCapture,
        log,
      }),
      createLoop({
        name: 'replica uploads',
        run: () => this.#storeNext(),
        intervalMs: timing.intervalMs,
        wakeUp: this.#toStore,
        log,
      }),
    ];
  }

  get state(): ReplicaState {
    return {
      phase: this.#phase,
      generation: this.#identity?.generation ?? 0,
      ...{ increment: this.#stored.number, storedAt: this.#stored.at, storedBytes: this.#stored.bytes },
      ...{ waitingSince: this.#waitingSince, waitingBytes: this.#spool.bytes, away: this.#away },
      base: this.#base === null ? null : { at: Date.parse(this.#base.created_at), bytes: sizeOf(this.#base) },
    };
  }

  get #waitingSince(): number | null {
    return this.#increments === null ? (this.#away?.since ?? null) : this.#spool.since;
  }

  get #phase(): ReplicaState['phase'] {
    if (this.#isFenced) return 'fenced';
    if (this.#increments === null) return 'starting';
    return this.#base !== null && this.#stored.number >= this.#base.consistent_from
      ? 'replicating'
      : 'copying';
  }

  /** Resolves when it is known whether this server may write the replica, or after `waitMs` if the storage does not respond. */
  async start(waitMs: number): Promise<void> {
    for (const loop of this.#loops) loop.start();
    await Promise.race([this.#decided, pause(waitMs, undefined, { ref: false })]);
  }

  /** Resolves when everything committed before the call can be restored from the storage. */
  store(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ upTo: null, resolve });
      this.#toStore.notify();
    });
  }

  /** Stores the waiting increments, for at most `graceMs`. No transaction runs afterwards. */
  async stop(graceMs: number): Promise<void> {
    this.#capture();
    const until = performance.now() + graceMs;
    while (this.#spool.firstName() !== undefined && !this.#isFenced && performance.now() < until)
      await pause(20);
    this.#stopping.abort();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#copying;
    if (this.#increments !== null && !this.#isFenced) {
      this.#emptyNow(this.#increments);
      await this.#keepIdentity();
    }
    this.#tail.close();
  }

  async #captureAndTidy(): Promise<boolean> {
    if (this.#isFenced) return false;
    try {
      if (this.#increments === null) {
        this.#increments = await this.#continueOrBegin();
        this.#answering();
      }
    } catch (error) {
      if (error instanceof Fenced) this.#fence(error);
      else {
        await this.#notAnswering(error);
        await this.#boundLog();
      }
      return false;
    } finally {
      this.#decide();
    }
    if (this.#isCaptureDue()) this.#capture();
    const { timing } = this.#options;
    if (this.#spool.bytes > timing.waitingBytes) this.#beginAgain('more waits than this machine may keep');
    else {
      await this.#lookForBase();
      if (this.#isLogLong() || this.#needsBase()) await this.#emptyLog();
    }
    return false;
  }

  /** Replaces a base copy that was removed from the storage, or parts of it. */
  async #lookForBase(): Promise<void> {
    const { storage, names, clock, log } = this.#options;
    const base = this.#base;
    if (base === null || this.#copying !== null || clock() - this.#lookedForBaseAt < BASE_LOOK_MS) return;
    this.#lookedForBaseAt = clock();
    const wanted = [names.base(base.generation, base.after), ...base.parts.map(({ file }) => file)];
    // The uploads report storage that does not respond.
    const found = new Set(await storage.list(names.bases).catch(() => wanted));
    const missing = wanted.find((file) => !found.has(file));
    if (missing === undefined || this.#base !== base) return;
    log.error({ file: missing }, 'replica base copy removed from the storage: storing a new one');
    this.#increments?.forgetChanged();
    this.#base = null;
  }

  /** Gives up increments that the storage will never get, instead of letting the log grow until it responds. */
  async #boundLog(): Promise<void> {
    const { timing, inTurn } = this.#options;
    if (this.#tail.fileBytes() < MOST_UNREAD_LOGS * timing.logBytes) return;
    const readNothing = (): null => null;
    this.#tail.writeBack(readNothing);
    await inTurn(() => this.#tail.empty(readNothing));
  }

  /** While increments wait for the storage, commits stay in the log, so that they are combined into fewer increments. */
  #isCaptureDue(): boolean {
    const { clock, timing } = this.#options;
    const { since } = this.#spool;
    if (since === null) return true;
    const now = clock();
    const isPaused = now - this.#capturedAt < Math.min(now - since, MOST_CAPTURE_PAUSE_MS);
    return !isPaused || this.#tail.fileBytes() >= LONG_LOGS * timing.logBytes;
  }

  /** Returns the number of the last increment; null if it is unknown. */
  #capture(): number | null {
    if (this.#increments === null || this.#isFenced) return null;
    const before = this.#increments.last.number;
    try {
      this.#increments.capture();
    } catch (error) {
      if (!(error instanceof LogStartedAgain)) throw error;
      this.#beginAgain(error.message);
      return null;
    }
    const { number } = this.#increments.last;
    this.#waiters = this.#waiters.map(({ upTo, resolve }) => ({ upTo: upTo ?? number, resolve }));
    if (number > before) {
      this.#capturedAt = this.#options.clock();
      this.#toStore.notify();
    }
    return number;
  }

  /** Returns the end of the captured log; null if this generation has missed commits. */
  #captureAll(): WalPosition | null {
    return this.#capture() === null ? null : (this.#increments?.last.position ?? null);
  }

  /** Continuity is lost: the storage keeps the generation up to this point, and the next one begins with a copy. */
  #beginAgain(reason: string): void {
    this.#options.log.error({ reason }, 'replica interrupted: a new generation begins with a full copy');
    this.#isInterrupted = true;
    this.#increments = null;
    this.#base = null;
    this.#spool.keepFirst(0);
    this.#waiters = this.#waiters.map(({ resolve }) => ({ upTo: null, resolve }));
    this.#toCapture.notify();
  }

  async #continueOrBegin(): Promise<Increments> {
    const { storage, names, key, folder, file, clock, log } = this.#options;
    const spool = this.#spool;
    const tail = this.#tail;
    this.#identity ??= await readIdentity(folder);
    const { server, generation } = this.#identity;
    const newest = await newestClaim(storage, names);
    if (newest !== null && generation > 0 && newest.generation > generation && newest.server !== server) {
      throw new Fenced(newest.generation);
    }
    const found = this.#isInterrupted
      ? null
      : await whereToContinue({ storage, names, spool, tail, key, file }, this.#identity);
    if (found !== null && newest?.generation === generation) {
      this.#stored.number = (parseNumber(spool.firstName()) ?? found.number + 1) - 1;
      this.#base = await this.#newestBase(generation);
      log.info({ generation, increment: found.number }, 'replica continued');
      return this.#open(generation, found);
    }
    const { restored } = this.#identity;
    if (generation === 0) await refuseBehind(storage, names, restored);
    const begun = await claimGeneration(storage, names, { server, clock });
    // The other server may have confirmed more until it lost the replica.
    if (generation === 0) await refuseBehind(storage, names, restored);
    spool.keepFirst(0);
    this.#identity = { server, generation: begun, emptied: null, restored: null };
    await this.#keepIdentity();
    this.#isInterrupted = false;
    this.#stored.number = 0;
    this.#base = null;
    log.info({ generation: begun }, 'replica generation begun');
    // The base copy will contain the log so far.
    const position = tail.committedSince(null)?.to ?? null;
    return this.#open(begun, { number: 0, hash: NO_HASH, position });
  }

  #open(generation: number, last: Increments['last']): Increments {
    const { names, key, clock } = this.#options;
    const increments = new Increments(
      { tail: this.#tail, spool: this.#spool, key, names, clock },
      generation,
      last,
    );
    this.#increments = increments;
    this.#capture();
    return increments;
  }

  async #newestBase(generation: number): Promise<BaseManifest | null> {
    const { storage, names } = this.#options;
    const newest = (await listBases(storage, names)).findLast((base) => base.generation === generation);
    return newest === undefined ? null : readableBase(storage, names, newest);
  }

  #needsBase(): boolean {
    if (this.#increments === null || this.#copying !== null || this.#stopping.signal.aborted) return false;
    const { timing, clock } = this.#options;
    if (clock() < this.#copyAgainAt) return false;
    if (this.#base === null) return true;
    const isOld = clock() - Date.parse(this.#base.created_at) >= timing.copyMs;
    return isOld && this.#increments.last.number > this.#base.after;
  }

  #isLogLong(): boolean {
    const last = this.#increments?.last ?? null;
    if (last === null || last.position === null || last.number === this.#identity?.emptied?.number)
      return false;
    return this.#tail.bytesUpTo(last.position) >= this.#options.timing.logBytes;
  }

  /** Checkpoints the log while writers wait only for the last part. */
  async #emptyLog(): Promise<void> {
    const increments = this.#increments;
    if (increments === null) return;
    const captureAll = (): WalPosition | null => this.#captureAll();
    this.#tail.writeBack(captureAll);
    // Checkpoints what was committed during the first pass, so that little remains for the pause.
    if (this.#tail.writeBack(captureAll) > MOST_FRAMES_IN_TURN) return;
    this.#spool.sync();
    const isEmpty = await this.#options.inTurn(() => {
      if (!this.#emptyNow(increments)) return false;
      // Begins before the log has further commits, which the file lacks.
      if (this.#needsBase()) this.#beginCopy(increments);
      return true;
    });
    if (isEmpty && this.#increments === increments) await this.#keepIdentity();
  }

  #emptyNow(increments: Increments): boolean {
    const isEmpty = this.#tail.empty(() => {
      const end = this.#captureAll();
      this.#spool.sync();
      return end;
    });
    if (!isEmpty || this.#identity === null || this.#increments !== increments) return false;
    const { number } = increments.last;
    this.#identity = { ...this.#identity, emptied: { number, file: fileState(this.#options.file) } };
    return true;
  }

  async #keepIdentity(): Promise<void> {
    if (this.#identity !== null) await writeIdentity(this.#options.folder, this.#identity);
  }

  #beginCopy(increments: Increments): void {
    const { log } = this.#options;
    this.#copying = this.#copy(increments)
      .catch((error: unknown) => {
        if (this.#increments !== increments || this.#stopping.signal.aborted) return;
        increments.forgetChanged();
        this.#copyAgainAt = this.#options.clock() + COPY_AGAIN_MS;
        log.error({ err: error }, 'replica base copy failed');
      })
      .finally(() => {
        this.#copying = null;
      });
  }

  async #copy(increments: Increments): Promise<void> {
    const { file, names, key, storage, clock, log, sealKeys, timing } = this.#options;
    const { generation } = increments;
    const { number: after, hash: afterHash } = increments.last;
    const changed = increments.takeChanged();
    const since = clock();
    const last = await this.#completeBase();
    const former = last === null || changed === null ? null : { base: last, changed };
    const isObsolete = (): boolean => this.#increments !== increments || this.#stopping.signal.aborted;
    const base = await copyBase({
      ...{ file, generation, key, names, clock, sealedKeys: await sealKeys() },
      ...{ after, afterHash, former },
      put: (name, octets) => this.#putPersistently(name, octets, isObsolete),
      lastIncrement: () => this.#capture() ?? increments.last.number,
    });
    // Another generation may have begun meanwhile, which has no base copy yet.
    if (this.#increments !== increments) return;
    this.#base = base;
    this.#lookedForBaseAt = clock();
    log.info({ generation, after, bytes: sizeOf(base), ms: clock() - since }, 'replica base copy stored');
    this.#answer();
    const isStopping = (): boolean => this.#stopping.signal.aborted;
    await removeSurplus(storage, names, { keepSince: clock() - timing.keepMs, isStopping }).catch(
      (error: unknown) => log.warn({ err: error }, 'old replica files not removed'),
    );
  }

  /** Returns the last base copy, unless something other than this server has removed parts of it. */
  async #completeBase(): Promise<BaseManifest | null> {
    const base = this.#base;
    if (base === null) return null;
    const { storage, names, log } = this.#options;
    try {
      const stored = new Set(await storage.list(names.bases));
      const missing = base.parts.find(({ file }) => !stored.has(file));
      if (missing === undefined) return base;
      log.error({ file: missing.file }, 'replica base copy has lost a part: storing a full copy');
      return null;
    } catch {
      // The storage does not respond; the uploads of increments report it.
      return base;
    }
  }

  async #putPersistently(name: string, octets: Buffer, isObsolete: () => boolean): Promise<void> {
    for (let waitMs = RETRY_MS.first; ; waitMs = Math.min(2 * waitMs, RETRY_MS.most)) {
      if (isObsolete()) throw new Error('The copy is obsolete.');
      try {
        await this.#options.storage.put(name, octets);
        this.#stored.bytes += octets.length;
        return;
      } catch {
        // The uploads of increments report it.
        await pause(waitMs, undefined, { signal: this.#stopping.signal });
      }
    }
  }

  /** Stores the first waiting increment. */
  async #storeNext(): Promise<boolean> {
    // Writes one increment for everything that was committed while the previous one was stored.
    const isWaitedFor = this.#waiters.some(({ upTo }) => upTo === null);
    if (isWaitedFor && this.#spool.firstName() === undefined) this.#capture();
    const name = this.#spool.firstName();
    if (this.#increments === null || this.#isFenced || this.#identity === null) return false;
    if (name === undefined) {
      this.#answer();
      await this.#lookForTakeover(this.#identity);
      return false;
    }
    const { storage, names, clock } = this.#options;
    try {
      await this.#storeArchive();
      const octets = await this.#spool.read(name);
      if (octets === null) return true;
      await this.#create(name, octets);
      // A server that takes over from now on reads this increment; one that already has may lack it.
      await refuseTakenOver(storage, names, this.#identity);
      if (this.#spool.firstName() !== name) return true;
      await this.#spool.removeFirst();
      this.#stored = {
        number: parseNumber(name) ?? this.#stored.number,
        at: clock(),
        bytes: this.#stored.bytes + octets.length,
      };
    } catch (error) {
      if (error instanceof Fenced) this.#fence(error);
      else if (error instanceof Diverged) {
        // The other copy notices the claim of another server.
        this.#identity = { ...this.#identity, server: newServer() };
        this.#beginAgain(error.message);
      } else await this.#notAnswering(error);
      return !this.#isFenced;
    }
    this.#answering();
    this.#answer();
    return true;
  }

  /** Lets a server that stores nothing notice that another has taken over. */
  async #lookForTakeover(identity: Identity): Promise<void> {
    const { storage, names, clock } = this.#options;
    if (clock() - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = clock();
    try {
      await refuseTakenOver(storage, names, identity);
      this.#answering();
    } catch (error) {
      if (error instanceof Fenced) this.#fence(error);
      else await this.#notAnswering(error);
    }
  }

  /** Files of the event archive exist before the database names them, so they are stored before the increment that names them. */
  async #storeArchive(): Promise<void> {
    const { archiveFolder, storage } = this.#options;
    const files = (await filesIn(archiveFolder)).filter((file) => !file.endsWith('.part'));
    if (files.length === 0) return;
    this.#archived ??= new Set(await storage.list('events-'));
    for (const file of files) {
      if (this.#archived.has(file)) continue;
      await storage.put(file, await readFile(join(archiveFolder, file)));
      this.#archived.add(file);
    }
  }

  /** Stores an increment. If the storage has a different one with this name, two servers have written from one data folder. */
  async #create(name: string, octets: Buffer): Promise<void> {
    const { storage } = this.#options;
    const before = (await storage.mayReplace()) ? await storage.get(name, MOST_FILE_BYTES) : null;
    if (before === null && (await storage.create(name, octets))) return;
    const stored = before ?? (await storage.get(name, MOST_FILE_BYTES));
    if (stored !== null && fileHash(stored) === fileHash(octets)) return;
    throw new Diverged();
  }

  #fence(by: Fenced): void {
    this.#isFenced = true;
    this.#options.onFenced(by);
  }

  #answering(): void {
    if (this.#away === null) return;
    const seconds = Math.round((this.#options.clock() - this.#away.since) / 1000);
    this.#options.log.info(
      { storage: this.#options.storage.name, seconds },
      'replica storage responds again',
    );
    this.#away = null;
  }

  async #notAnswering(error: unknown): Promise<void> {
    const { clock, log, storage } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    if (this.#away === null) log.error({ storage: storage.name, reason }, 'replica storage does not respond');
    this.#away = { since: this.#away?.since ?? clock(), reason };
    const awayMs = clock() - this.#away.since;
    const waitMs = Math.min(Math.max(awayMs, RETRY_MS.first), RETRY_MS.most);
    await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #answer(): void {
    if (this.#phase !== 'replicating') return;
    const isStored = ({ upTo }: { upTo: number | null }): boolean =>
      upTo !== null && upTo <= this.#stored.number;
    const done = this.#waiters.filter(isStored);
    this.#waiters = this.#waiters.filter((one) => !isStored(one));
    for (const { resolve } of done) resolve();
  }
}

/** The storage has another increment of this generation and number. */
class Diverged extends Error {
  constructor() {
    super('another copy of this data folder has stored increments');
    this.name = 'Diverged';
  }
}

function parseNumber(name: string | undefined): number | null {
  const file = name === undefined ? null : parseReplicaName(name);
  return file?.kind === 'increment' ? file.number : null;
}

function sizeOf({ parts }: BaseManifest): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
