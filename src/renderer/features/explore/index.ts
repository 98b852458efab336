export { useFollowedHashtagsQuery } from './queries'
export { ExploreScreen } from './screens'
