import { lazyScreen } from '#/renderer/lib/lazy-screen'

export { openPostId, withPost } from './address'
export { PostCard } from './components/PostCard'
export { PostLink } from './components/PostLink'
export { POST_COLUMNS, seedPosts, usePictureQuery } from './queries'
export { canPost, wordColumns } from './words'
export const PostDialog = lazyScreen(() => import('./components/PostDialog'), 'PostDialog')
