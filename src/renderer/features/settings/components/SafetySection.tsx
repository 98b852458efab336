import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { Avatar } from '#/renderer/components/Avatar'
import { Button } from '#/renderer/components/Button'
import { MemberNames } from '#/renderer/components/MemberNames'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { type SafetyList, type SafetyListed, useSafetyListQuery } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import { useSafetyMutation } from '../mutations'
import { SettingsSection } from './SettingsSection'

const LISTS: SafetyList[] = ['blocked', 'muted']

/** Blocked and muted members, with buttons to undo (SAFE-04). */
export function SafetySection() {
  return (
    <SettingsSection title={texts.safety.title}>
      <Tabs.Root defaultValue="blocked">
        <Tabs.List
          aria-label={texts.safety.title}
          className="mb-2 grid grid-cols-2 gap-1 rounded-md bg-sunk p-1"
        >
          {LISTS.map((list) => (
            <Tabs.Trigger
              key={list}
              value={list}
              className="h-9 rounded-sm border border-transparent font-medium text-[14px] text-quiet hover:text-ink data-[state=active]:border-edge data-[state=active]:bg-raised data-[state=active]:text-ink data-[state=active]:shadow-card"
            >
              {texts.safety.lists[list]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {LISTS.map((list) => (
          <Tabs.Content key={list} value={list} tabIndex={-1}>
            <Members list={list} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </SettingsSection>
  )
}

function Members({ list }: { list: SafetyList }) {
  const query = useSafetyListQuery(list)
  const { data: members, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  if (members === undefined) {
    return (
      <div className="grid h-20 place-items-center">
        <SpinnerOrRetry hasFailed={isError} onRetry={refetch} />
      </div>
    )
  }
  // As tall as the spinner, so that the content below does not move.
  if (members.length === 0)
    return <p className="grid h-20 place-items-center text-quiet">{texts.safety.none[list]}</p>
  return (
    <>
      <ul aria-label={texts.safety.lists[list]}>
        {members.map((member) => (
          <SafetyRow key={member.id} list={list} member={member} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          className="mt-2 w-full"
          disabled={isFetchingNextPage && !isError}
          onClick={() => void fetchNextPage()}
        >
          {isError ? texts.tryAgain : texts.showMore}
        </Button>
      )}
    </>
  )
}

interface SafetyRowProps {
  list: SafetyList
  member: SafetyListed
}

const BUTTON_TEXT = {
  blocked: { on: texts.safety.unblock, off: texts.safety.block },
  muted: { on: texts.safety.unmute, off: texts.safety.mute },
} as const

/** A blocked or muted member. After an undo the row stays, with a button to redo, until the member leaves the page. */
export function SafetyRow({ list, member }: SafetyRowProps) {
  const [isOn, setIsOn] = useState(true)
  const changing = useSafetyMutation(list, member)
  // The name is empty if they have blocked this member too.
  const username = member.username || texts.safety.somebody

  const handlePress = () =>
    changing.mutate(!isOn, { onSuccess: (hasChanged) => hasChanged && setIsOn(!isOn) })

  return (
    <li className="flex items-center gap-3 py-2">
      <Avatar member={member} size={40} />
      <MemberNames username={username} fullName={member.full_name} />
      <Button className="h-8! px-3.5! text-[13.5px]!" onClick={handlePress} disabled={changing.isPending}>
        {BUTTON_TEXT[list][isOn ? 'on' : 'off']}
        <span className="sr-only"> {username}</span>
      </Button>
    </li>
  )
}
