// Handles two people editing the same object. A change names the version that it is based on, and the second person learns who
// changed it first.
import { ApiError, type Mailkeel } from '@mailkeel/sdk';
import { useState } from 'react';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { useRelativeTime } from '../ui/format.js';
import { usePlace } from './place.js';
import { useActors } from './people.js';

interface Versioned {
  id: string;
  updated_at: string;
}

/** New versions by the previous version that this page has changed, so that two forms for one object do not conflict. */
const ownChanges = new Map<string, string>();

function newestOwn(id: string, version: string): string {
  const next = ownChanges.get(`${id} ${version}`);
  return next === undefined ? version : newestOwn(id, next);
}

/** A refusal that the form shows unchanged, without losing any input. */
class ChangedMeanwhile extends Error {}

/**
 * Sends changes of an object with the version that the form is based on: the one at the time when editing began. After a refusal the
 * form is based on the newest version, so saving again overwrites the other change.
 */
export function useVersion({ id, updated_at: current }: Versioned, isEditing: boolean) {
  const t = useTexts(common);
  const { api } = usePlace();
  const { nameOf } = useActors();
  const distance = useRelativeTime();
  const [base, setBase] = useState(current);
  if (!isEditing && base !== current) setBase(current);

  async function sentenceFor(at: string): Promise<string> {
    const change = await lastChange(api, id);
    const when = distance(at);
    if (change === null) return t.changedMeanwhile(null, when, '');
    const { actor, detail } = change;
    const fields = Array.isArray(detail['fields']) ? (detail['fields'] as string[]).join(', ') : '';
    return t.changedMeanwhile(actor.id === null ? null : nameOf(actor.id), when, fields);
  }

  return async <T extends Versioned>(change: (options: { ifMatch: string }) => PromiseLike<T>): Promise<T> => {
    const ifMatch = newestOwn(id, base);
    try {
      const answer = await change({ ifMatch });
      ownChanges.set(`${id} ${ifMatch}`, answer.updated_at);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error;
      const newest = String(error.details['updated_at'] ?? current);
      setBase(newest);
      throw new ChangedMeanwhile(await sentenceFor(newest), { cause: error });
    }
  };
}

/** Returns the newest audit log entry of an object; null if the person may not read the log, or if it has none. */
async function lastChange(api: Mailkeel, id: string) {
  try {
    // Changes of the organization name no target.
    const wanted = id.startsWith('org_') ? { action: 'organization.update' } : { target_id: id };
    const { data } = await api.auditLog.list({ ...wanted, limit: 1 });
    return data[0] ?? null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
