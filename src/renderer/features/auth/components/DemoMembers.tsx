import { Avatar } from '#/renderer/components/Avatar'
import { useServerInfo } from '#/renderer/lib/server-info'
import { texts } from '#/renderer/lib/texts'
import type { DemoMember } from '#/shared/server'

const SHOWN = 3

const PORTRAITS = import.meta.glob<string>('../../../../../resources/demo/avatar-*.webp', {
  eager: true,
  import: 'default',
  query: '?url',
})

/** The picture of a demo member. The file name is the first part of their username. */
function portraitOf(username: string): string | null {
  const [name] = username.split(/[._]/)
  return PORTRAITS[`../../../../../resources/demo/avatar-${name}.webp`] ?? null
}

interface DemoMembersProps {
  isBusy: boolean
  onChoose: (member: DemoMember) => void
}

/** 'Look around as …', only on the embedded server with its demo community. */
export function DemoMembers({ isBusy, onChoose }: DemoMembersProps) {
  const members = useServerInfo((state) => state.server?.demo ?? NOBODY).slice(0, SHOWN)
  if (members.length === 0) return null
  return (
    <section aria-label={texts.auth.lookAround} className="mt-6">
      <p className="mb-3.5 flex items-center gap-3 text-[12.5px] text-quiet before:flex-1 before:border-line before:border-t after:flex-1 after:border-line after:border-t">
        {texts.auth.lookAround}
      </p>
      <div className="flex gap-2.5">
        {members.map((member) => (
          <button
            key={member.username}
            type="button"
            disabled={isBusy}
            aria-label={texts.auth.demoMember(member.fullName)}
            onClick={() => onChoose(member)}
            className="grid min-w-0 flex-1 justify-items-center gap-1.5 rounded-md border border-line bg-raised px-1.5 py-2.5 font-medium text-[12.5px] transition-colors duration-150 hover:border-edge active:bg-sunk disabled:opacity-45"
          >
            <Avatar username={member.username} src={portraitOf(member.username)} size={40} />
            <span className="max-w-full truncate">{member.fullName.split(' ')[0]}</span>
          </button>
        ))}
      </div>
    </section>
  )
}

const NOBODY: DemoMember[] = []
