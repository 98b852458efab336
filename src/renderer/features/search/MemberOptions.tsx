import { Avatar } from '#/renderer/components/Avatar'
import { MemberNames } from '#/renderer/components/MemberNames'
import { texts } from '#/renderer/lib/texts'
import type { useMemberCombobox } from './useMemberCombobox'

interface MemberOptionsProps {
  combobox: Pick<
    ReturnType<typeof useMemberCombobox>,
    'listId' | 'members' | 'active' | 'choose' | 'setActive'
  >
  label: string
  className?: string
}

/** The results of a member search. */
export function MemberOptions({ combobox, label, className = '' }: MemberOptionsProps) {
  const { listId, members, active, choose, setActive } = combobox
  return (
    <div id={listId} role="listbox" aria-label={label} hidden={members === undefined} className={className}>
      {members?.length === 0 && <p className="px-2.5 py-2 text-quiet">{texts.search.nobody}</p>}
      {members?.map((member, index) => (
        <div
          key={member.id}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Prevents the input's blur, which would close the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(member)}
          onKeyDown={undefined}
          onMouseMove={() => setActive(index)}
          className="flex items-center gap-2.5 rounded-sm px-2 py-1.5 aria-selected:bg-sunk"
        >
          <Avatar username={member.username} src={member.avatar_url} size={34} />
          <MemberNames username={member.username} fullName={member.full_name} />
        </div>
      ))}
    </div>
  )
}
