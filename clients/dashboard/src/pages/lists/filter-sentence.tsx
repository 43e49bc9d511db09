// The filter of a segment as people read it.
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { useStatusText } from '../../ui/status.js';
import { CUSTOM, groupFrom, takesValue, type Condition, type Group } from './filter-rules.js';

export function FilterSentence({ filter }: { filter: unknown }) {
  return <GroupText group={groupFrom(filter)} />;
}

function GroupText({ group }: { group: Group }) {
  const t = useTexts(lists);
  return (
    <ul className="mk-list">
      {group.rules.map((rule, place) => (
        <li key={rule.key} className="mk-break">
          {place === 0 ? null : <em>{group.match === 'all' ? t.and : t.or} </em>}
          {rule.kind === 'group' ? <GroupText group={rule} /> : <ConditionText condition={rule} />}
        </li>
      ))}
    </ul>
  );
}

function ConditionText({ condition }: { condition: Condition }) {
  const t = useTexts(lists);
  const word = useStatusText();
  const { field, custom, op, value } = condition;
  const name = field === CUSTOM ? custom : t.filterFields[field];
  return (
    <>
      {name} {t.ops[op]} {takesValue(op) ? <strong>{field === 'status' ? word(value) : value}</strong> : null}
    </>
  );
}
