// Shows text to read or copy.
import { ActionIcon, CopyButton as Copying, Group, Tooltip } from '@mantine/core';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Icon } from './icon.js';

function CopyButton({ value, label }: { value: string; label?: string }) {
  const t = useTexts(common);
  return (
    <Copying value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t.copied : (label ?? t.copy)}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={label === undefined ? t.copy : `${t.copy}: ${label}`}
          >
            <Icon name={copied ? 'check' : 'copy'} size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  );
}

export function CodeBlock({ code, wraps = false, label }: { code: string; wraps?: boolean; label?: string }) {
  return (
    <div className="mk-code" data-wrap={wraps}>
      {/* Scrolled by keyboard too. */}
      <pre tabIndex={0} {...(label === undefined ? {} : { 'aria-label': label, role: 'region' })}>
        {code}
      </pre>
      <CopyButton value={code} {...(label === undefined ? {} : { label })} />
    </div>
  );
}

/** A short value, such as an id or a DNS name, with its button. */
export function Copyable({ value, label }: { value: string; label?: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex" maw="100%">
      <span className="mk-mono" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </span>
      <CopyButton value={value} {...(label === undefined ? {} : { label })} />
    </Group>
  );
}
