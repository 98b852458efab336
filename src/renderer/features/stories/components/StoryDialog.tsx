import { useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { IconButton } from '#/renderer/components/IconButton'
import { Spinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { useFocusReturn } from '#/renderer/lib/browser/focus'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { isUuid } from '#/renderer/lib/core/uuid'
import { useModalRoute } from '#/renderer/lib/navigation/modal-route'
import { texts } from '#/renderer/lib/texts'
import { readStoryState, useStoryAddress } from '../address'
import { type StoriesToPlay, storiesToPlay } from '../model'
import { knownStories, type Story, useStoryQuery } from '../queries'
import { Stage } from './Stage'

/** The story in the URL, over the page. */
export function StoryDialog() {
  const { state, key } = useLocation()
  const { value: id, close, root } = useModalRoute('story')
  if (id === null) return null
  const run = readStoryState(state).run ?? key
  // The viewer of one run changes the URL itself.
  return <Viewer key={run} openedId={id} run={run} root={root} onClose={close} />
}

interface ViewerProps {
  /** The id in the URL when the viewer opened; it may be any text. */
  openedId: string
  run: string
  root: Pick<ComponentProps<typeof Dialog.Root>, 'open' | 'onOpenChange'>
  onClose: () => void
}

function Viewer({ openedId, run, root, onClose }: ViewerProps) {
  const { members, show } = useStoryAddress(run)
  const [startId] = useState(openedId)
  const handleCloseAutoFocus = useFocusReturn()
  const content = useRef<HTMLDivElement>(null)

  return (
    <Dialog.Root {...root}>
      <Dialog.Portal>
        <Dialog.Content
          ref={content}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            content.current?.focus()
          }}
          onCloseAutoFocus={handleCloseAutoFocus}
          className="fixed inset-0 bottom-(--banner-height) z-35 select-none bg-[#090807] text-white outline-none scheme-dark"
        >
          {isUuid(startId) ? (
            <Opened id={startId} members={members} onShow={show} onClose={onClose} />
          ) : (
            <UnavailableNotice />
          )}
          <Dialog.Close asChild>
            <IconButton
              label={texts.close}
              className="absolute! end-2.5 top-2.5 z-20 hover:bg-white/15! max-sm:top-[23px]"
            >
              <X />
            </IconButton>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface OpenedProps {
  id: string
  members: readonly string[]
  onShow: (id: string) => void
  onClose: () => void
}

function Opened({ id, members, onShow, onClose }: OpenedProps) {
  const opening = useStoriesToPlay(id, members)
  switch (opening.state) {
    case 'ready':
      return <Stage groups={opening.groups} startId={id} onShow={onShow} onClose={onClose} />
    case 'loading':
      return (
        <Notice title={texts.stories.one} isTitleHidden>
          <Spinner size={34} />
        </Notice>
      )
    case 'failed':
      return (
        <Notice title={texts.stories.notLoaded}>
          <Button onClick={opening.retry} className="mt-5">
            {texts.tryAgain}
          </Button>
        </Notice>
      )
    case 'expired':
      return <Notice title={texts.stories.expiredTitle}>{texts.stories.expiredBody}</Notice>
    case 'gone':
      return <UnavailableNotice />
  }
}

function UnavailableNotice() {
  return <Notice title={texts.stories.goneTitle}>{texts.stories.goneBody}</Notice>
}

interface NoticeProps {
  title: string
  isTitleHidden?: boolean
  children: ReactNode
}

function Notice({ title, isTitleHidden = false, children }: NoticeProps) {
  return (
    <div className="grid h-full place-items-center p-8 text-center">
      <div className="max-w-90">
        <Dialog.Title className={isTitleHidden ? 'sr-only' : 'font-display text-[24px]'}>
          {title}
        </Dialog.Title>
        <div className="mt-1.5 text-white/75">{children}</div>
      </div>
    </div>
  )
}

type Opening = { state: 'loading' } | { state: 'failed'; retry: () => void } | StoriesToPlay<Story>

/**
 * Loads the stories to play. Decided once: a story that expires, is shared or is deleted later does not change an open
 * viewer.
 * @param members of the strip that the story was opened from
 */
function useStoriesToPlay(id: string, members: readonly string[]): Opening {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { data: story, isError, refetch } = useStoryQuery(id)
  const [decided, setDecided] = useState<StoriesToPlay<Story> | null>(null)
  if (decided !== null) return decided
  if (story === undefined)
    return isError ? { state: 'failed', retry: () => void refetch() } : { state: 'loading' }
  const opening = storiesToPlay(story, { members, known: knownStories(client), me, now: serverNow() })
  setDecided(opening)
  return opening
}
