export { openPostId, withPost } from './address'
export { PostCard } from './components/PostCard'
export { PostLink } from './components/PostLink'
export { PostModal } from './components/PostModal'
export { postQueryKeys } from './keys'
export { canPost, type PostWords, wordColumns } from './model'
export {
  commentKind,
  forgetReactions,
  resumeReactions,
  savePhotoWords,
  showReactionsOfOtherWindows,
} from './mutations'
export { POST_COLUMNS, refreshPost, seedPosts, useInlinePictureQuery } from './queries'
