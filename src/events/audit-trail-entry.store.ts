// The change that appends an entry to the audit trail of a message.
import type { Scope } from '../database/scope.js';
import type { Change } from '../database/change.js';
import { type NewEvent, appendEvent } from './append.store.js';

/** The fields of a message that its events need, all of which a queue claim has. */
export interface AuditTrailSubject {
  messageId: number;
  publicId: string;
  environmentId: number;
  workspaceNumber: number;
}

/** `at` in epoch ms. */
type AuditTrailEntry = Pick<NewEvent, 'event' | 'actor' | 'detail'> & { at: number };

export function auditTrailEntry(
  subject: AuditTrailSubject,
  { event, actor, at, detail }: AuditTrailEntry,
): Change {
  return appendEvent({
    event: {
      environmentId: subject.environmentId,
      workspaceNumber: subject.workspaceNumber,
      messageId: subject.messageId,
      subjectId: subject.publicId,
      event,
      actor,
      occurredAt: at,
      ...(detail ? { detail } : {}),
    },
  });
}

/** Returns the subject for a message that was read in its scope. */
export function auditTrailSubject(
  message: { id: number; public_id: string },
  scope: Pick<Scope, 'environmentId' | 'workspaceNumber'>,
): AuditTrailSubject {
  return {
    messageId: message.id,
    publicId: message.public_id,
    environmentId: scope.environmentId,
    workspaceNumber: scope.workspaceNumber,
  };
}
