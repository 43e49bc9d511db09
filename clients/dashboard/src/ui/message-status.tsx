// The badge of a message: green once a mail server has accepted it, amber with the next attempt while it is deferred.
import { messageState, type MessageProgress } from '../data/message-state.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { useRelativeTime } from './format.js';
import { Status, useStatusText } from './status.js';

export function MessageStatus({ of }: { of: MessageProgress }) {
  const t = useTexts(common);
  const text = useStatusText();
  const distance = useRelativeTime();
  const { word, tone, next } = messageState(of);
  return (
    <Status of={word} {...(tone === null ? {} : { tone })}>
      {next === null ? text(word) : t.nextAttempt(text(word), next.number, distance(next.at))}
    </Status>
  );
}
