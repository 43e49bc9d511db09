// Words for values of attempts and trail entries. An unknown value is shown as in the API.
import { bounces } from '../../texts/bounces.js';
import { message } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { useStatusText } from '../../ui/status.js';

type Words = Readonly<Record<string, string>>;

/** Returns the words for the value of a field of the API, such as `phase` and `rcpt`. */
export function useFactWord(): (field: string, value: string) => string {
  const t = useTexts(message);
  const status = useStatusText();
  const byField: Readonly<Record<string, Words>> = {
    phase: t.phaseNames,
    tls_policy: t.tlsPolicies,
    category: useTexts(bounces).categories,
  };
  return (field, value) => {
    if (field === 'reason' || field === 'type') return status(value);
    const words = byField[field];
    return words === undefined ? value : (words[value] ?? value.replaceAll('_', ' '));
  };
}
