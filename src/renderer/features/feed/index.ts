// Not lazy: nearly every start shows the feed, and this saves one request before it.
export { FeedScreen } from './FeedScreen'
export { showFreshFeed } from './queries'
