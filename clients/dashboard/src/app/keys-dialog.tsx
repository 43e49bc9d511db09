// The keys of the dashboard, behind "?".
import { Kbd, Table } from '@mantine/core';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Dialog } from '../ui/dialog.js';

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(common);
  const keys: readonly (readonly [readonly string[], string])[] = [
    [['Ctrl K'], t.keys.search],
    [['j', '↓'], t.keys.next],
    [['k', '↑'], t.keys.previous],
    [['Enter'], t.keys.open],
    [['Esc'], t.keys.close],
    [['?'], t.keys.show],
  ];
  return (
    <Dialog onClose={onClose} title={t.keys.title} size="sm">
      <Table withRowBorders={false}>
        <Table.Tbody>
          {keys.map(([names, does]) => (
            <Table.Tr key={does}>
              <Table.Td w={110}>
                {names.map((name) => (
                  <Kbd key={name} mr={4}>
                    {name}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
