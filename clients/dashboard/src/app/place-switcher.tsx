// Another workspace, or the other environment of this one.
import { Menu, SegmentedControl, UnstyledButton } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { usePlace } from '../data/place.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Icon } from '../ui/icon.js';

export function PlaceSwitcher() {
  const t = useTexts(common);
  const { session, workspace, environment, href } = usePlace();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  // The content of the page belongs to its workspace and environment, so only the kind of page is kept.
  const page = pathname.slice(href('/').length).split('/')[1] ?? '';
  const kept = page === 'sandbox' ? '' : page;
  const goTo = (id: string, mode: string) =>
    void navigate({ to: `/${id}/${mode}${kept === '' ? '' : `/${kept}`}` });
  return (
    <div className="mk-place">
      {session.workspaces.length > 1 ? (
        <Menu position="bottom-start" width={260}>
          <Menu.Target>
            <UnstyledButton className="mk-workspace" aria-label={`${t.shell.workspace}: ${workspace.name}`}>
              <span className="mk-workspace-name">{workspace.name}</span>
              <Icon name="down" size={14} />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {session.workspaces.map(({ id, name }) => (
              <Menu.Item
                key={id}
                onClick={() => goTo(id, environment)}
                rightSection={id === workspace.id ? <Icon name="check" size={14} /> : null}
              >
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <span className="mk-workspace mk-workspace-name">{workspace.name}</span>
      )}
      <SegmentedControl
        size="xs"
        aria-label={t.shell.environment}
        value={environment}
        onChange={(mode) => goTo(workspace.id, mode)}
        data={[
          { value: 'test', label: t.sandbox },
          { value: 'live', label: t.live },
        ]}
      />
    </div>
  );
}
