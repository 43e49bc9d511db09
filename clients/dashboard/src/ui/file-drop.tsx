// A place for a file: chosen, or dropped on it.
import { Button, FileButton, Text } from '@mantine/core';
import { useState } from 'react';
import { fileDrop } from '../texts/file-drop.js';
import { useTexts } from '../texts/texts.js';
import { useFormat } from './format.js';
import { Icon } from './icon.js';

export function FileDrop({
  label,
  hint,
  accept,
  file,
  onChange,
  error,
}: {
  label: string;
  /** Requirements of the file. */
  hint?: string;
  /** As in the `accept` attribute of inputs. */
  accept: string;
  file: File | null;
  onChange: (file: File | null) => void;
  error?: string | undefined;
}) {
  const t = useTexts(fileDrop);
  const format = useFormat();
  const [isOver, setOver] = useState(false);
  return (
    <div
      className="mk-drop"
      data-over={isOver}
      role="group"
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onChange(event.dataTransfer.files[0] ?? null);
      }}
    >
      <Icon name="import" size={22} />
      {file === null ? (
        <Text>{t.drop}</Text>
      ) : (
        <Text fw={600} className="mk-break" role="status">
          {file.name} ({format.bytes(file.size)})
        </Text>
      )}
      <FileButton accept={accept} onChange={onChange} inputProps={{ 'aria-label': label }}>
        {(props) => (
          <Button {...props} variant="default" size="xs">
            {file === null ? t.choose : t.another}
          </Button>
        )}
      </FileButton>
      {hint === undefined ? null : (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      {error === undefined ? null : (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </div>
  );
}
