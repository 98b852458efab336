import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { ConnectionBanner } from '#/renderer/components/ConnectionBanner'
import { BESIDE_HEADER, ErrorBoundary } from '#/renderer/components/ErrorBoundary'
import { ToastBar } from '#/renderer/components/ToastBar'
import { signOut, useMe } from '#/renderer/features/auth'
import { onServing } from '#/renderer/features/desktop'
import { replyToStory, ShareDialog } from '#/renderer/features/messages'
import { LikersModal } from '#/renderer/features/people'
import { openPostId, PostModal } from '#/renderer/features/post'
import { SafetyDialogs } from '#/renderer/features/safety'
import { NewSignIns } from '#/renderer/features/settings'
import { ShareDialogContext } from '#/renderer/features/sharing'
import { openStoryId, StoryModal, StoryReplyContext } from '#/renderer/features/stories'
import { openedCache } from '#/renderer/lib/disk-cache/opened-store'
import { forgetObjects } from '#/renderer/lib/media-store'
import { readModalParam } from '#/renderer/lib/navigation/modal-route'
import { keepRecovering, restartHungReads, retryFailedQueries } from '#/renderer/lib/queries/query-recovery'
import { texts } from '#/renderer/lib/texts'
import { DesktopIntegration } from './DesktopIntegration'
import { Header } from './Header'
import { createMemberClient, useDiskCache } from './member-client'
import { Shortcuts } from './Shortcuts'
import { useLive } from './useLive'
import { useReturnedForms } from './useReturnedForms'
import { useScrollRestoration } from './useScrollRestoration'

/** Wraps every page of a signed-in member: their query client, the header, one error boundary per screen. A page has one member. */
export function MemberLayout() {
  const { id: me } = useMe()
  const [client] = useState(() => createMemberClient(me))
  const { pathname, search } = useLocation()
  const postId = openPostId(search)
  useScrollRestoration()
  useDiskCache(client)
  const hasLoaded = useLive(client)
  const canRead = hasLoaded || (openedCache(me)?.first.length ?? 0) > 0
  useReturnedForms(me)
  useEffect(() => onServing(() => void retryFailedQueries(client)), [client])
  useEffect(() => keepRecovering(client), [client])
  useEffect(() => restartHungReads(client), [client])
  // After the pictures have left the page.
  useEffect(() => () => forgetObjects(client), [client])
  return (
    <QueryClientProvider client={client}>
      <ShareDialogContext value={ShareDialog}>
        <a
          href="#content"
          className="not-focus:sr-only fixed start-2 top-2 z-50 rounded-md bg-accent px-4 py-2 text-on-accent"
        >
          {texts.skipToContent}
        </a>
        {hasLoaded && <NewSignIns />}
        <div className="rail:grid rail:grid-cols-[var(--rail-width)_minmax(0,1fr)] rail:items-start">
          <Header />
          <Shortcuts />
          <DesktopIntegration />
          <ConnectionBanner canRead={canRead} onSignOut={() => void signOut()} />
          {/* A page is as wide as it can be: in a grid, its automatic margins would make it as narrow as its content. */}
          <div>
            <ErrorBoundary key={pathname}>
              <Outlet />
            </ErrorBoundary>
          </div>
        </div>
        {postId !== null && (
          <ErrorBoundary className={`${BESIDE_HEADER} z-20`}>
            <PostModal />
          </ErrorBoundary>
        )}
        {openStoryId(search) !== null && (
          <ErrorBoundary className="fixed inset-0 z-35 bg-paper">
            <StoryReplyContext value={replyToStory}>
              <StoryModal />
            </StoryReplyContext>
          </ErrorBoundary>
        )}
        {readModalParam(search, 'likes') !== null && (
          <ErrorBoundary className={`${BESIDE_HEADER} z-20`}>
            <LikersModal />
          </ErrorBoundary>
        )}
        <SafetyDialogs />
        <ToastBar isAside={pathname.startsWith('/messages')} />
      </ShareDialogContext>
    </QueryClientProvider>
  )
}
