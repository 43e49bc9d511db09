// Whether a message that does not say so is tracked: the organization's switches, and the types that it leaves out.
import type { MessageType } from '../contract/names.js';

interface TrackingSwitches {
  track_opens: 0 | 1;
  track_clicks: 0 | 1;
  /** JSON: types; null: none. */
  untracked_types: string | null;
}

/** The types that are not tracked by default. */
export function untrackedTypes({
  untracked_types: json,
}: Pick<TrackingSwitches, 'untracked_types'>): MessageType[] {
  return json === null ? [] : (JSON.parse(json) as MessageType[]); // written by the API only
}

/** The tracking of a message of the type that does not set it. */
export function trackedByDefault(
  organization: TrackingSwitches,
  type: MessageType,
): { opens: boolean; clicks: boolean } {
  const isTracked = !untrackedTypes(organization).includes(type);
  return {
    opens: isTracked && organization.track_opens === 1,
    clicks: isTracked && organization.track_clicks === 1,
  };
}
