// A mail's html as its recipients see it: desktop or phone, light or dark, images from elsewhere only on demand.
import { Group, SegmentedControl, Switch, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { mailView } from '../texts/mail-view.js';
import { useTexts } from '../texts/texts.js';
import { MailFrame } from './mail-frame.js';

const PHONE_PX = 375;

export function MailView({ html, height = 520 }: { html: string; height?: number }) {
  const t = useTexts(mailView);
  const [width, setWidth] = useState('desktop');
  const [isDark, setDark] = useState(false);
  const [showsImages, setImages] = useState(false);
  return (
    <>
      <Group mb="sm" gap="md">
        <SegmentedControl
          size="xs"
          aria-label={t.width}
          value={width}
          onChange={setWidth}
          data={[
            { value: 'desktop', label: t.desktop },
            { value: 'phone', label: t.phone },
          ]}
        />
        <Switch
          size="sm"
          label={t.dark}
          checked={isDark}
          onChange={(event) => setDark(event.currentTarget.checked)}
        />
        <Tooltip label={t.imagesHint}>
          <Switch
            size="sm"
            label={t.images}
            checked={showsImages}
            onChange={(event) => setImages(event.currentTarget.checked)}
          />
        </Tooltip>
      </Group>
      <MailFrame
        html={html}
        title={t.frame}
        isDark={isDark}
        height={height}
        images={showsImages ? 'all' : 'embedded'}
        {...(width === 'phone' ? { width: PHONE_PX } : {})}
      />
    </>
  );
}
