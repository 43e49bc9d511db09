// The menu behind the three dots, for less frequent actions.
import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Icon } from './icon.js';

export function MoreMenu({
  of,
  children,
  danger = null,
}: {
  /** The name of the row, if the page has a menu for each row. The page's own menu has none. */
  of?: string;
  /** Items of Mantine's Menu. */
  children?: ReactNode;
  /** Items that delete or revoke something: red, at the end, behind a line. */
  danger?: ReactNode;
}) {
  const t = useTexts(common);
  const isOfRow = of !== undefined;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          {...(isOfRow ? { variant: 'subtle', color: 'gray' } : { variant: 'default', size: 34 })}
          aria-label={isOfRow ? `${t.more}: ${of}` : t.more}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {danger === null ? null : (
          <>
            {children === undefined ? null : <Menu.Divider />}
            <div className="mk-danger-items">{danger}</div>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
