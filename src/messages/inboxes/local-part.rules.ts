// Generates readable local parts of addresses.

const FIRST =
  'amber autumn birch bold brisk calm cedar clear clever coral crisp daily eager early fair fern fresh gentle glad golden green hazel hollow ivory jade kind level light lilac lively lucky lunar maple mellow merry misty modest noble north ocean olive opal pine plain proud quick quiet rapid river rosy sandy silent silver simple smart soft solar south spring steady stone summer sunny swift';
const SECOND =
  'acorn anchor badger beacon bison bridge brook canyon castle cliff cloud comet cove crane creek delta dune eagle ember falcon ferry field finch forest fox garden glacier grove harbor heron hill island kestrel lake lantern lark ledge lynx marsh meadow mesa mill moor moose otter owl peak pebble pond raven reef ridge robin shore sparrow stream summit tern thicket trail valley willow wren';
const NUMBERS = 10_000;

/** The number of local parts that `readableLocalPart` can make. */
export const LOCAL_PARTS = words(FIRST).length * words(SECOND).length * NUMBERS;

/** Returns the local part of a number below `LOCAL_PARTS`, such as `amber-otter-4821`. */
export function readableLocalPart(number: number): string {
  const [first, second] = [words(FIRST), words(SECOND)];
  const pair = Math.floor(number / NUMBERS);
  const adjective = first[pair % first.length];
  const noun = second[Math.floor(pair / first.length) % second.length];
  return `${adjective}-${noun}-${String(number % NUMBERS).padStart(4, '0')}`;
}

function words(text: string): string[] {
  return text.split(' ');
}
