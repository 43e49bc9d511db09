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

export interface Intake {
  readonly receivedOctets: number;
  take(octets: Buffer): void;
  /** Ends the message and returns it or its refusal. It stays counted until `drop`. */
  finish(): Buffer | ServerRefusal;
  /** Frees the octets and the memory counted for them. May be called again. */
  drop(): void;
}

export interface IntakeOptions {
  visit: Visit;
  sizeLimit: number;
  /** SIZE as declared, or null; only a hint for the first block. */
  declaredOctets: number | null;
  /** Turns a bare CR or LF into CRLF; otherwise the message is refused. */
  mendsLineEnds: boolean;
}

export function createIntake({ visit, sizeLimit, declaredOctets, mendsLineEnds }: IntakeOptions): Intake {
  const check = createOctetCheck();
  let fault: OctetFault | null = null;
  let blocks: Buffer[] = [];
  let block: Buffer = Buffer.alloc(0);
  let filled = 0;
  let received = 0;
  let progressAt = PROGRESS_OCTETS;
  let held = 0;
  let isCounted = false;
  let refusal: ServerRefusal | null = null;

  function countOnce(): void {
    if (!isCounted) visit.countOctets(received);
    isCounted = true;
  }

  function letGo(): void {
    blocks = [];
    block = Buffer.alloc(0);
    filled = 0;
    visit.release(held);
    held = 0;
  }

  function refuse(why: ServerRefusal): void {
    refusal = why;
    letGo();
  }

  function nextBlockSize(): number {
    if (blocks.length > 0) return Math.min(Math.max(MIDDLE_BLOCK, received), LARGE_BLOCK);
    // A false declaration costs at most one middle block.
    return Math.min(Math.max(declaredOctets ?? SMALL_BLOCK, 1_024), MIDDLE_BLOCK);
  }

  function addBlock(): boolean {
    const size = nextBlockSize();
    if (!visit.hold(size)) return false;
    held += size;
    if (filled > 0) blocks[blocks.length - 1] = block.subarray(0, filled);
    block = Buffer.allocUnsafeSlow(size);
    blocks.push(block);
    filled = 0;
    return true;
  }

  function store(octets: Buffer): boolean {
    for (let at = 0; at < octets.length;) {
      if (filled === block.length && !addBlock()) return false;
      const copied = octets.copy(block, filled, at);
      filled += copied;
      at += copied;
    }
    return true;
  }

  function whole(): Buffer {
    if (blocks.length < 2) return block.subarray(0, filled);
    const last = blocks.length - 1;
    return Buffer.concat([...blocks.slice(0, last), block.subarray(0, filled)]);
  }

  return {
    get receivedOctets() {
      return received;
    },
    take(octets) {
      received += octets.length;
      if (received >= progressAt) {
        progressAt = received + PROGRESS_OCTETS;
        visit.seat.progressed();
      }
      if (refusal !== null) return;
      fault = check.faultIn(octets);
      if (received > sizeLimit) refuse(tooLarge(sizeLimit));
      else if (fault === 'NUL' || (fault !== null && !mendsLineEnds)) refuse(UNCLEAN[fault]);
      else if (!store(octets)) refuse(MESSAGE_REFUSALS.memory);
    },
    finish() {
      countOnce();
      if (refusal !== null) return refusal;
      if (fault === null) return whole();
      const mended = mendLineEnds(whole());
      return mended.length > sizeLimit ? tooLarge(sizeLimit) : mended;
    },
    drop() {
      countOnce();
      letGo();
    },
  };
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
