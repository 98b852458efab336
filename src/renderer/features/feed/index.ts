// Not lazy: nearly every start shows the feed, and this saves one request before it.
export { FeedLinks } from './components/FeedTabs'
export { PendingPost } from './components/lazy-pending-post'
export { FeedScreen } from './FeedScreen'
export { POST_KIND } from './keys'
export { type NewPhoto, type NewPost, type NewVideo, POST_SCOPE, postKind } from './mutations'
export { FEED_VIEW, feedOnScreen } from './position'
export { showFreshFeed } from './queries'
