import { useEffect } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router-dom'
import { LoginScreen, PublicOnly, RequireMember, SignupScreen } from '#/renderer/features/auth'
import { CreateScreen } from '#/renderer/features/composer'
import { ExploreScreen } from '#/renderer/features/explore'
import { FeedScreen } from '#/renderer/features/feed'
import { FirstHour, useFirstHour } from '#/renderer/features/first-hour'
import { MessagesScreen } from '#/renderer/features/messages'
import { EditProfileScreen, ProfileScreen } from '#/renderer/features/profile'
import { SettingsScreen } from '#/renderer/features/settings'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { exploreRoute } from '#/renderer/lib/content/topics'
import { MemberLayout } from './MemberLayout'
import { pageTitle } from './page-title'

const FeedAside = lazyPart(() => import('./FeedAside'), 'FeedAside')

/** All routes. Any other path redirects to the feed (AUTH-04). */
export function AppRoutes() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    document.title = pageTitle(pathname, search)
  }, [pathname, search])

  return (
    <Routes>
      <Route element={<PublicOnly />}>
        <Route path="/login" element={<LoginScreen />} />
        <Route path="/signup" element={<SignupScreen />} />
      </Route>
      <Route element={<RequireMember />}>
        <Route element={<MemberLayout />}>
          <Route path="/" element={<HomeScreen />} />
          <Route path="/create" element={<CreateScreen />} />
          <Route path="/profile/:username" element={<ProfileScreen />} />
          <Route path="/edit-profile" element={<EditProfileScreen />} />
          <Route path="/settings" element={<SettingsScreen />} />
          <Route path="/messages" element={<MessagesScreen />} />
        </Route>
      </Route>
      <Route path="*" element={<Navigate to="/" replace />} />
    </Routes>
  )
}

/** The feed; Explore, a hashtag or a place are search parameters of its path. */
function HomeScreen() {
  const { search } = useLocation()
  const [stage, goTo] = useFirstHour()
  if (exploreRoute(search) !== null) return <ExploreScreen />
  return (
    // The card of the first hour shows the same people.
    <FeedScreen aside={<FeedAside hasPeople={stage === null} />}>
      {stage !== null && <FirstHour stage={stage} onStage={goTo} />}
    </FeedScreen>
  )
}
