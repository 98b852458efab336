import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Avatar } from '#/renderer/components/Avatar'
import { Button } from '#/renderer/components/Button'
import { MemberNames } from '#/renderer/components/MemberNames'
import { Spinner } from '#/renderer/components/Spinner'
import { TextArea } from '#/renderer/components/TextArea'
import { useMe } from '#/renderer/features/auth'
import { usePeopleQuery } from '#/renderer/features/people'
import { useMemberSearchQuery } from '#/renderer/lib/content/member-search'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { AppError } from '#/renderer/lib/core/errors'
import { showToast } from '#/renderer/lib/core/toasts'
import { MediaError } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { QUERY_MAX, SHARE_RECIPIENTS, TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import { isOpen } from '../model/conversation'
import { byReason } from '../model/shared'
import { type Recipient, type ShareContent, useShareMutation } from '../mutations/share'
import { useConversationsQuery } from '../queries/conversations'

interface SendToMembersProps {
  /** What to send, with the optional text. */
  makeContent: (text: string) => ShareContent | Promise<ShareContent>
  /** Whether a text can be added. */
  hasText: boolean
  onSent: () => void
  /** Further actions beside the send button. */
  children?: ReactNode
}

/**
 * Chooses members, by search or among suggested ones, adds a text, and sends. Members who did not get it stay chosen. What the
 * member chooses or types while it is sent is for the next time.
 */
export function SendToMembers({ makeContent, hasText, onSent, children }: SendToMembersProps) {
  const [chosen, setChosen] = useState<readonly Recipient[]>([])
  const [text, setText] = useState('')
  const latest = useRef({ chosen, text })
  useLayoutEffect(() => {
    latest.current = { chosen, text }
  })
  const { mutate, data: result, error, isPending } = useShareMutation()
  const content = trimText(text)
  const canSend = chosen.length > 0 && !exceeds(content, TEXT_LIMITS.message) && !isPending

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!canSend) return
    mutate(
      { recipients: [...chosen], makeContent: () => makeContent(content) },
      {
        onSuccess: ({ failures, isWaiting }) => {
          const got = chosen.filter(({ id }) => failures.every(({ recipient }) => recipient.id !== id))
          const remaining = latest.current.chosen.filter(({ id }) => got.every((each) => each.id !== id))
          setChosen(remaining)
          if (failures.length > 0) return
          showToast({ text: isWaiting ? texts.share.waiting : texts.share.sent })
          if (remaining.length === 0 && latest.current.text === text) onSent()
        },
      },
    )
  }

  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <Members chosen={chosen} onChange={setChosen} />
      {hasText && (
        <TextArea
          label={texts.share.text}
          value={text}
          limit={TEXT_LIMITS.message}
          rows={1}
          onText={setText}
          className="max-h-24"
        />
      )}
      {error !== null && (
        <Alert>
          {texts.share.failed(chosen.map(({ username }) => username).join(', '))}{' '}
          {error instanceof MediaError ? texts.media[error.code] : error instanceof AppError && error.message}
        </Alert>
      )}
      {result !== undefined && result.failures.length > 0 && !isPending && (
        <Alert>
          {byReason(result.failures).map(({ reason, names }) => (
            <p key={reason}>
              {texts.share.failed(names.join(', '))} {reason}
            </p>
          ))}
        </Alert>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {children}
        <Button type="submit" variant="primary" disabled={!canSend} className="ms-auto">
          {isPending ? texts.outbox.sending : texts.share.send(chosen.length)}
        </Button>
      </div>
    </form>
  )
}

interface MembersProps {
  chosen: readonly Recipient[]
  onChange: (chosen: readonly Recipient[]) => void
}

/** The chosen members, then the results of the search or the suggestions. */
function Members({ chosen, onChange }: MembersProps) {
  const [typed, setTyped] = useState('')
  const { members, isPending, failure } = useCandidates(useDeferredValue(typed.trim()))
  const listed = [...chosen, ...members.filter(({ id }) => chosen.every((each) => each.id !== id))]
  const toggle = (member: Recipient) =>
    onChange(
      chosen.some(({ id }) => id === member.id)
        ? chosen.filter(({ id }) => id !== member.id)
        : [...chosen, member],
    )
  return (
    // A fieldset is otherwise as wide as its longest name.
    <fieldset className="min-w-0">
      <legend className="sr-only">{texts.share.members}</legend>
      <div className="relative">
        <Search aria-hidden="true" className="pointer-events-none absolute start-3 top-3 size-4 text-quiet" />
        <input
          data-first-focus
          type="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={QUERY_MAX}
          aria-label={texts.messages.searchPlaceholder}
          placeholder={texts.messages.searchPlaceholder}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // Enter would send.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          className="h-10 w-full rounded-md bg-sunk ps-9 pe-3 text-[14px] outline-ink outline-offset-0"
        />
      </div>
      <ul className="-mx-2 mt-2 h-56 overflow-y-auto overscroll-contain">
        {listed.map((member) => {
          const isChosen = chosen.some(({ id }) => id === member.id)
          return (
            <li key={member.id}>
              <label className="flex cursor-pointer items-center gap-3 rounded-sm px-2 py-1.5 hover:bg-sunk">
                <Avatar member={member} size={38} />
                <MemberNames username={member.username} fullName={member.full_name} />
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={!isChosen && chosen.length === SHARE_RECIPIENTS}
                  onChange={() => toggle(member)}
                  className="size-4.5 shrink-0 accent-accent"
                />
              </label>
            </li>
          )
        })}
        {listed.length === 0 && (
          <li className="grid h-full place-items-center px-4 text-center text-[14px] text-quiet">
            {isPending ? (
              <Spinner />
            ) : (
              (failure ?? (typed.trim() === '' ? texts.share.noConversations : texts.search.nobody))
            )}
          </li>
        )}
      </ul>
      {chosen.length === SHARE_RECIPIENTS && (
        <p role="status" className="text-[13px] text-quiet">
          {texts.share.most(SHARE_RECIPIENTS)}
        </p>
      )}
    </fieldset>
  )
}

/** Members whose name matches; without a query, those of the latest open conversations, then followed ones. */
function useCandidates(query: string): { members: Recipient[]; isPending: boolean; failure: string | null } {
  const { id: me } = useMe()
  const { conversations, isPending } = useConversationsQuery('inbox', null)
  const followed = usePeopleQuery({ kind: 'following', id: me })
  const search = useMemberSearchQuery(query, true)
  const known = conversations.filter(isOpen).flatMap((each) => {
    return each.kind === 'group' || each.other === null ? [] : [{ ...each.other, conversationId: each.id }]
  })
  if (query === '') {
    const others = (followed.data ?? []).filter(({ id }) => known.every((each) => each.id !== id))
    return {
      members: [...known, ...others.map((member) => ({ ...member, conversationId: null }))],
      // Offline, the followed members are not known.
      isPending: isPending || followed.isLoading,
      failure: null,
    }
  }
  const found = search.failure === null ? (search.members ?? []) : []
  const members = found.map((member) => {
    const conversationId = known.find(({ id }) => id === member.id)?.conversationId ?? null
    return { ...member, conversationId }
  })
  return { members, isPending: search.isPending, failure: search.failure }
}
