export { openPostId, withPost } from './address'
export { commentKind } from './comments/mutations'
export { loadComments } from './components/lazy-comments'
export { PostCard } from './components/PostCard'
export { CellText, PostCell } from './components/PostCell'
export { PostModal } from './components/PostModal'
export { WallCell } from './components/WallCell'
export { postQueryKeys } from './keys'
export type { KnownPost } from './known-posts'
export { canPost, type PostWords, shownRatio, wordColumns } from './model'
export { savePhotoWords } from './mutations/posts'
export {
  forgetReactions,
  resumeReactions,
  showLikesOfOtherDevices,
  showReactionsOfOtherWindows,
} from './mutations/reactions'
export { POST_COLUMNS, refreshPost, refreshPostRow, seedPosts, useInlinePictureQuery } from './queries'
