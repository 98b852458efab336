import { lazyScreen } from '#/renderer/lib/lazy-screen'

export { FollowButton } from './components/FollowButton'
export { PeopleDialog } from './components/PeopleDialog'
export { PROFILE_KEY } from './counts'
export { useRelationQuery } from './relation'
export const LikersOverPage = lazyScreen(() => import('./components/LikersOverPage'), 'LikersOverPage')
