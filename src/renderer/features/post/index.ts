export { openPostId, withPost } from './address'
export { commentKind } from './comments/mutations'
export { refreshPost } from './comments/queries'
export { PostCard } from './components/PostCard'
export { PostLink } from './components/PostLink'
export { PostModal } from './components/PostModal'
export { postQueryKeys } from './keys'
export { canPost, type PostWords, wordColumns } from './model'
export {
  forgetReactions,
  resumeReactions,
  savePhotoWords,
  showReactionsOfOtherWindows,
} from './mutations'
export { POST_COLUMNS, seedPosts, useInlinePictureQuery } from './queries'
