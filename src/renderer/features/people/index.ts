import { lazyComponent } from '#/renderer/lib/lazy-component'

export { FollowButton } from './components/FollowButton'
export { PeopleDialog } from './components/PeopleDialog'
export { PROFILE_KEY } from './counts'
export { useRelationQuery } from './relation'
export const LikersModal = lazyComponent(() => import('./components/LikersModal'), 'LikersModal')
