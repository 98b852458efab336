import { Tabs } from 'radix-ui'
import { useSearchParams } from 'react-router-dom'
import { texts } from '#/renderer/lib/texts'
import type { ProfileGridKind } from '../model'
import { GridLayoutToggle } from './GridLayoutToggle'
import { PostGrid } from './PostGrid'

interface ProfileTabsProps {
  memberId: string
  isOwn: boolean
}

/** POSTS, SAVED (on the member's own profile) and TAGGED. The address contains the selected tab (PROF-05). */
export function ProfileTabs({ memberId, isOwn }: ProfileTabsProps) {
  const [params, setParams] = useSearchParams()
  const kinds: readonly ProfileGridKind[] = isOwn ? ['posts', 'saved', 'tagged'] : ['posts', 'tagged']
  const shown = kinds.find((kind) => kind === params.get('tab')) ?? 'posts'
  const handleChange = (kind: string) => {
    const next = new URLSearchParams(params)
    if (kind === 'posts') next.delete('tab')
    else next.set('tab', kind)
    setParams(next, { replace: true })
  }
  return (
    <Tabs.Root value={shown} onValueChange={handleChange} className="group/grid">
      <div className="flex flex-wrap items-center justify-between border-line border-t sm:grid sm:grid-cols-[1fr_auto_1fr]">
        <Tabs.List className="flex justify-center gap-1 sm:col-start-2 sm:gap-4">
          {kinds.map((kind) => (
            <Tabs.Trigger
              key={kind}
              value={kind}
              className="relative my-2 rounded-sm px-3.5 font-semibold text-[12px] text-quiet leading-8 tracking-[.08em] before:absolute before:inset-x-0 before:-top-2.25 before:h-0.5 hover:text-ink data-[state=active]:text-ink data-[state=active]:before:bg-ink"
            >
              {texts.profile.tabs[kind]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <GridLayoutToggle className="justify-self-end" />
      </div>
      {kinds.map((kind) => (
        <Tabs.Content key={kind} value={kind} tabIndex={-1}>
          <PostGrid kind={kind} about={memberId} isOwn={isOwn} />
          {kind !== 'posts' && (
            <p className="pt-8 text-center text-[13.5px] text-quiet">{texts.profile.comingSoon}</p>
          )}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
