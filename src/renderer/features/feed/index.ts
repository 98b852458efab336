// Not lazy: the feed is what nearly every start shows, and one request less deep it is there sooner.
export { FeedScreen } from './FeedScreen'
export { showFreshFeed } from './queries'
