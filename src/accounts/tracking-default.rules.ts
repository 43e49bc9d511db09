// Decides whether messages are tracked by default: the organization's switches, and the types that it excludes.
import type { MessageType } from '../contract/names.js';

interface TrackingSwitches {
  track_opens: 0 | 1;
  track_clicks: 0 | 1;
  /** JSON: message types. Null for none. */
  untracked_types: string | null;
}

/** Returns the message types without tracking by default. */
export function untrackedTypes({
  untracked_types: json,
}: Pick<TrackingSwitches, 'untracked_types'>): MessageType[] {
  return json === null ? [] : (JSON.parse(json) as MessageType[]); // written by the API only
}

/** Returns the default tracking of a message type. */
export function isTrackedByDefault(
  organization: TrackingSwitches,
  type: MessageType,
): { opens: boolean; clicks: boolean } {
  const isTracked = !untrackedTypes(organization).includes(type);
  return {
    opens: isTracked && organization.track_opens === 1,
    clicks: isTracked && organization.track_clicks === 1,
  };
}
