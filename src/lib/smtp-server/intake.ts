// Receives one message. Gathers its octets into a few large blocks, so that many tiny packets cost no more
// memory than one large packet, and counts them against the client's memory. Reads a message that cannot be
// accepted to its end and discards it.
import { mendLineEnds } from '../mime/index.js';
import type { Visit } from './client-admission.js';
import type { ServerRefusal } from './hooks.js';
import { createOctetCheck, type OctetFault } from './octet-check.js';
import { MESSAGE_REFUSALS } from './replies.js';

/** Octets of a message that count as progress of its session. */
const PROGRESS_OCTETS = 2_500;
const SMALL_BLOCK = 16 * 1024;
const MIDDLE_BLOCK = 64 * 1024;
const LARGE_BLOCK = 1024 * 1024;

interface IntakeOptions {
  visit: Visit;
  sizeLimit: number;
  /** SIZE as declared, or null; only a hint for the first block. */
  declaredOctets: number | null;
  /** Turns a bare CR or LF into CRLF; otherwise the message is refused. */
  mendsLineEnds: boolean;
}

export class Intake {
  readonly #options: IntakeOptions;
  readonly #check = createOctetCheck();
  #fault: OctetFault | null = null;
  #blocks: Buffer[] = [];
  #block: Buffer = Buffer.alloc(0);
  #filled = 0;
  #received = 0;
  #progressAt = PROGRESS_OCTETS;
  #held = 0;
  #isCounted = false;
  #refusal: ServerRefusal | null = null;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  get receivedOctets(): number {
    return this.#received;
  }

  take(octets: Buffer): void {
    const { visit, sizeLimit, mendsLineEnds } = this.#options;
    this.#received += octets.length;
    if (this.#received >= this.#progressAt) {
      this.#progressAt = this.#received + PROGRESS_OCTETS;
      visit.seat.progressed();
    }
    if (this.#refusal !== null) return;
    this.#fault = this.#check.faultIn(octets);
    const isUnclean = this.#fault === 'NUL' || (this.#fault !== null && !mendsLineEnds);
    if (this.#received > sizeLimit) this.#refuse(tooLarge(sizeLimit));
    else if (this.#fault !== null && isUnclean) this.#refuse(UNCLEAN[this.#fault]);
    else if (!this.#store(octets)) this.#refuse(MESSAGE_REFUSALS.memory);
  }

  /** Ends the message and returns it or its refusal. It stays counted until `drop`. */
  finish(): Buffer | ServerRefusal {
    const { sizeLimit } = this.#options;
    this.#countOnce();
    if (this.#refusal !== null) return this.#refusal;
    if (this.#fault === null) return this.#whole();
    const mended = mendLineEnds(this.#whole(), { afterSmtp: true });
    return mended.length > sizeLimit ? tooLarge(sizeLimit) : mended;
  }

  /** Frees the octets and the memory counted for them. May be called again. */
  drop(): void {
    this.#countOnce();
    this.#free();
  }

  #countOnce(): void {
    if (!this.#isCounted) this.#options.visit.countOctets(this.#received);
    this.#isCounted = true;
  }

  #free(): void {
    this.#blocks = [];
    this.#block = Buffer.alloc(0);
    this.#filled = 0;
    this.#options.visit.release(this.#held);
    this.#held = 0;
  }

  #refuse(why: ServerRefusal): void {
    this.#refusal = why;
    this.#free();
  }

  #store(octets: Buffer): boolean {
    for (let at = 0; at < octets.length;) {
      if (this.#filled === this.#block.length && !this.#addBlock()) return false;
      const copied = octets.copy(this.#block, this.#filled, at);
      this.#filled += copied;
      at += copied;
    }
    return true;
  }

  #addBlock(): boolean {
    const size = this.#nextBlockSize();
    if (!this.#options.visit.hold(size)) return false;
    this.#held += size;
    if (this.#filled > 0) this.#blocks[this.#blocks.length - 1] = this.#block.subarray(0, this.#filled);
    this.#block = Buffer.allocUnsafeSlow(size);
    this.#blocks.push(this.#block);
    this.#filled = 0;
    return true;
  }

  #nextBlockSize(): number {
    if (this.#blocks.length > 0) return Math.min(Math.max(MIDDLE_BLOCK, this.#received), LARGE_BLOCK);
    // A false declaration costs at most one middle block.
    return Math.min(Math.max(this.#options.declaredOctets ?? SMALL_BLOCK, 1_024), MIDDLE_BLOCK);
  }

  #whole(): Buffer {
    const last = this.#block.subarray(0, this.#filled);
    return this.#blocks.length < 2 ? last : Buffer.concat([...this.#blocks.slice(0, -1), last]);
  }
}

const UNCLEAN: Record<OctetFault, ServerRefusal> = {
  NUL: { code: 550, enhanced: '5.6.11', text: 'Message contains a NUL character' },
  'bare line end': {
    code: 550,
    enhanced: '5.6.11',
    text: 'Message contains a bare CR or LF; lines must end with CRLF',
  },
};

function tooLarge(sizeLimit: number): ServerRefusal {
  return { code: 552, enhanced: '5.3.4', text: `Message exceeds the size limit of ${sizeLimit} bytes` };
}
