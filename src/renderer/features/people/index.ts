import { lazyComponent } from '#/renderer/lib/lazy-component'

export { FollowButton } from './components/FollowButton'
export { PeopleDialog } from './components/PeopleDialog'
export { PROFILE_KEY } from './keys'
export { useRelationQuery } from './queries'
export const LikersModal = lazyComponent(() => import('./components/LikersModal'), 'LikersModal')
